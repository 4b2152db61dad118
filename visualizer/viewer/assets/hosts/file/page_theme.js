// Light or dark: as the system says, until the button chooses.

const DARK = "(prefers-color-scheme: dark)";

/** Show the button, and call `onChange` after every change of the theme. */
export function followTheme(onChange) {
  const button = document.getElementById("theme");
  const system = matchMedia(DARK);
  const page = document.documentElement;
  const isDark = () => (page.dataset.theme ? page.dataset.theme === "dark" : system.matches);
  const update = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = `Show a ${isDark() ? "light" : "dark"} page`;
    onChange();
  };
  button.addEventListener("click", () => {
    page.dataset.theme = isDark() ? "light" : "dark";
    update();
  });
  system.addEventListener("change", update);
  button.hidden = false;
  update();
}
