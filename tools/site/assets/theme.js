// Runs before the first paint. It is the theme that the app itself remembers.
document.documentElement.classList.add("scripted");
try {
  const theme = JSON.parse(localStorage.getItem("paige-theme")).state.theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Nothing is remembered, or it cannot be read: the system decides.
}
