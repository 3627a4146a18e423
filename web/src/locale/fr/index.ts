/** French: navigation, Home, the dialogs and notices of every page. The doors keep their names. */

import type { Table } from "../vocabulary";

/** The words of the frame and of Home in French. A space that does not break stands before : ; ! and ?. */
const app = {
  skipToContent: "Aller au contenu",
  navigation: "Navigation principale",
  home: "Accueil",
  traces: "Traces",
  settings: "Réglages",
  more: "Plus",
  help: "Aide",
  close: "Fermer",
  demo: "Vous regardez la démonstration : tout ici est inventé, et rien n’est à vous.",

  welcome: {
    heading: "Bienvenue dans Paige",
    lead:
      "Paige est un compagnon d’enseignement que vous faites tourner vous-même : sur votre machine, avec vos données et le modèle de votre choix. " +
      "Il a quatre portes, et ce qu’il apprend d’une personne derrière l’une d’elles sert derrière les autres.",
    doors: "Quatre portes",
  },

  setup: {
    heading: "Ce qui est configuré",
    facts: "Configuration",
    provider: "Fournisseur",
    providerReady: "Prêt",
    providerNotReady: "Pas prêt",
    database: "Base de données",
    databaseSchema: (schema) => `Schéma ${schema}`,
    project: "Projet",
    projectNone: "Aucun choisi",
    dataDir: "Dossier des données",
    version: "Version",
    passcode: "Code d’accès",
    passcodeOn: "Demandé à l’ouverture de Paige",
    passcodeOff: "Non demandé",
    checks: "Vérifications",
    checksEmpty: "Le serveur n’a fait aucune vérification.",
    fix: "Que faire :",
    loading: "Lecture de la configuration…",
    failed: "La configuration n’a pas pu être lue",
  },

  checkStatus: { ok: "En ordre", warn: "À regarder", fail: "En panne" },

  checkSummary: ({ total, warn, fail }) => {
    if (fail > 0) return `${fail} sur ${total} en panne`;
    if (warn > 0) return `${warn} sur ${total} à regarder`;
    return `${total} sur ${total} en ordre`;
  },

  connection: {
    state: (state) => {
      switch (state.name) {
        case "open":
          return "Connecté";
        case "connecting":
          return "Connexion…";
        case "resyncing":
          return "Mise à jour…";
        case "waiting":
          return `Nouvel essai dans ${Math.ceil(state.retryInMs / 1000)}\u00a0s`;
        case "closed":
          return state.reason === "sign-in" ? "Déconnecté" : "Non connecté";
      }
    },
    lost: "Connexion perdue. Paige continue d’essayer.",
    found: "Connecté",
  },

  theme: {
    names: { system: "Système", light: "Clair", dark: "Sombre" },
    button: (theme, next) => `Thème\u00a0: ${theme}. Passer à ${next}`,
  },

  palette: {
    open: "Commandes",
    title: "Commandes",
    description: "Tapez pour trouver une page ou une commande. Les flèches choisissent, Entrée exécute, Échap ferme.",
    placeholder: "Où aller, ou que faire ?",
    empty: "Aucune page ni commande ne correspond.",
    pages: "Aller à",
    themes: "Thème",
    commands: "Commandes",
    theme: (name) => `Thème ${name.toLowerCase()}`,
    copyReport: "Copier le rapport de configuration",
    reload: "Relire la configuration",
    shortcuts: "Raccourcis clavier",
    searchMemory: "Chercher dans la mémoire",
    signOut: "Se déconnecter",
  },

  shortcuts: {
    title: "Raccourcis clavier",
    description: "Paige s’utilise sans souris. La touche Tab parcourt tout ce qui est sur une page.",
    openPalette: "Trouver une page, une commande ou tout le reste",
    showHelp: "Montrer ces raccourcis",
    closeDialog: "Fermer une boîte de dialogue",
    toNotices: "Aller aux messages",
    singleKey: "Utiliser les touches ? et /, ainsi que les lettres et les chiffres pendant l’étude",
    singleKeyHint: "Désactivez-les si la saisie vocale ou votre clavier les tape par accident.",
    study: {
      heading: "Pendant l’étude",
      goOn: "Continuer, retourner une carte, répondre",
      rate: "Dire si vous le saviez bien",
      choose: "Choisir une réponse",
      hint: "L’indice suivant",
    },
    and: "et",
    then: "puis",
  },

  signIn: {
    heading: "Se connecter",
    lead: "Ce Paige demande un code d’accès. La personne qui le fait tourner le connaît.",
    passcode: "Code d’accès",
    submit: "Se connecter",
    submitting: "Connexion…",
    signOut: "Se déconnecter",
  },

  notFound: {
    heading: "Cette page n’existe pas",
    lead: (path) => `Il n’y a rien à l’adresse \`${path}\`. Le lien est peut-être ancien, ou mal tapé.`,
    home: "Aller à l’accueil",
  },

  notices: {
    region: "Messages ({hotkey})",
    label: "Message",
    dismiss: "Fermer le message",
    reportCopied: "Le rapport de configuration est dans le presse-papiers",
    copyFailed: "Le rapport n’a pas pu être copié",
    copyFailedHint: "Le navigateur ne le permet qu’en https ou sur localhost, et seulement avec votre accord.",
    connectionError: "Paige n’a pas pu traiter un message",
    refreshFailed: "Ce que vous voyez n’est peut-être plus à jour",
    dialogFailed: "La boîte de dialogue n’a pas pu s’ouvrir",
    dialogFailedHint: "Paige s’est peut-être arrêté ou a été mis à jour. Rechargez la page quand il répond.",
    signOutFailed: "La déconnexion n’a pas fonctionné",
  },

  errors: {
    retry: "Réessayer",
    unreachable: "Paige ne répond pas",
    unreachableHint: "Démarrez-le avec `paige up`, ou regardez le terminal où il tourne, puis réessayez.",
    unreadable: (status) => `Paige a donné une réponse que cette page ne peut pas lire (statut ${status})`,
    unreadableHint: "Quelque chose entre le navigateur et Paige a peut-être répondu à sa place. Rechargez la page.",
    crashed: "Cette page ne fonctionne plus",
    crashedHint: "Rechargez-la. Si cela se reproduit, signalez-le avec le rapport de configuration.",
  },
} satisfies Table["app"];

export const french = {
  app,
  offline: {
    heading: "Pas de connexion à Paige",
    lead: "Votre navigateur a conservé cette page. Tout le reste est conservé par Paige, qui ne répond pas pour le moment. Restez ici : la page s’ouvrira d’elle-même dès que Paige répondra.",
    state: {
      heading: "État des lieux",
      silent: (place) => `Pas de réponse de ${place}`,
      device: "Cet appareil",
      online: "Est relié à un réseau",
      offline: "N’est relié à aucun réseau",
    },
    update: {
      title: "Une nouvelle version de Paige est disponible",
      hint: "Ce qui est ouvert continue de fonctionner. Rechargez la page quand vous serez prêt.",
      reload: "Recharger",
      how: "Recharger la page",
    },
  },
  language: {
    label: "Langue",
    hint: "La page est rechargée quand vous en changez. Ce que les personnes et les modèles ont écrit reste dans sa langue.",
    browser: (name) => `Comme le demande le navigateur\u00a0: ${name}`,
  },
} satisfies Table;
