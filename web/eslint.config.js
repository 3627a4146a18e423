import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

/** The folders below src/pages: each is a door, or stands beside the doors. */
const DOORS = ["plan", "study", "coach", "guard", "memory", "traces", "settings", "people", "search", "answer"];

/** Pages of a door know nothing of another door's: what both need belongs to ui or wire, or is a folder beside them. */
const DOOR_RULES = DOORS.map((door) => ({
  files: [`src/pages/${door}/**/*.{ts,tsx}`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: `^(\\.\\./)+(pages/)?(${DOORS.filter((other) => other !== door).join("|")})/`,
            message: "Pages of a door do not import another door's: put what both need into src/ui.",
          },
        ],
      },
    ],
  },
}));

/** What pages are drawn with knows no page. */
const UI_RULES = {
  files: ["src/{ui,wire,locale}/**/*.{ts,tsx}"],
  // It names the words of every page, for their types alone.
  ignores: ["src/locale/vocabulary.ts"],
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: [{ regex: "(^|/)pages/", message: "This is used by pages, so it imports none: let the page hand in what it needs." }] },
    ],
  },
};

export default tseslint.config(
  { ignores: ["node_modules", "src/wire/generated.ts"] },
  js.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}", "scripts/**/*.ts", "vite.config.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
  {
    files: ["src/**/*.tsx"],
    extends: [jsxA11y.flatConfigs.strict, reactHooks.configs.flat.recommended],
    languageOptions: { globals: globals.browser },
  },
  ...DOOR_RULES,
  UI_RULES,
  { files: ["public/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["scripts/**/*.mjs"], languageOptions: { globals: globals.node } },
);
