// What a page does besides being read: theme, contents on a phone, copying commands.
"use strict";
{
  const root = document.documentElement;
  const wide = matchMedia("(min-width: 60rem)");

  // --- theme ---------------------------------------------------------------------------------
  const themeButton = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => {
    themeButton.textContent = isDark() ? "Light" : "Dark";
    themeButton.setAttribute("aria-label", isDark() ? "Change to the light theme" : "Change to the dark theme");
  };
  themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("paige-theme", JSON.stringify({ state: { theme: root.dataset.theme }, version: 0 }));
    } catch {
      // It cannot be remembered; it holds for this page.
    }
    nameTheme();
  });
  dark.addEventListener("change", nameTheme);
  nameTheme();
  themeButton.hidden = false;

  // --- contents on a narrow window -------------------------------------------------------------
  const contents = document.getElementById("contents");
  const menu = document.getElementById("menu");
  const open = (isOpen) => {
    contents.setAttribute("aria-expanded", String(isOpen));
    menu.classList.toggle("open", isOpen);
  };
  contents.addEventListener("click", () => {
    const isOpen = contents.getAttribute("aria-expanded") !== "true";
    open(isOpen);
    if (isOpen) menu.querySelector("a").focus();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !wide.matches) {
      open(false);
      contents.focus();
    }
  });
  contents.hidden = false;
  menu.querySelector("ul ul [aria-current]")?.scrollIntoView({ block: "center" });
  if (!location.hash) scrollTo(0, 0);

  // --- what is wider than the page can be scrolled with the keys --------------------------------
  const reach = () => {
    for (const box of document.querySelectorAll(".scrolls")) {
      if (box.scrollWidth > box.clientWidth) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", box.classList.contains("code") ? "Listing" : "Table");
      } else {
        box.removeAttribute("tabindex");
        box.removeAttribute("role");
        box.removeAttribute("aria-label");
      }
    }
  };
  addEventListener("resize", reach);
  reach();

  // --- commands can be copied -------------------------------------------------------------------
  if (navigator.clipboard) {
    for (const block of document.querySelectorAll(".listing")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(block.querySelector("code").textContent.trimEnd());
          button.textContent = "Copied";
        } catch {
          button.textContent = "Not allowed";
        }
        setTimeout(() => (button.textContent = "Copy"), 2000);
      });
      block.append(button);
    }
  }
}
