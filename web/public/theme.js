// Runs before the first paint. The app keeps the same value in src/theme/theme.ts.
try {
  const theme = JSON.parse(localStorage.getItem("paige-theme")).state.theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Nothing is remembered, or it cannot be read: the system decides.
}
