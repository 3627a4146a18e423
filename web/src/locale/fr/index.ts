/** French: navigation, Home, the dialogs and notices of every page. The doors keep their names. */

import type { Table } from "../vocabulary";
import { app } from "./app";

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
