// The menu of pages on a phone, which Streamlit opens over the page. Streamlit closes it at a tap beside it, which also reaches the
// page below, and leaves it open when a page was chosen.

const MAX_PHONE_WIDTH = 768; // px, from which on Streamlit shows the pages in its header
const MENU = '[data-testid="stSidebar"]';
const CHOICE = '[data-testid="stSidebarNavLink"]';
const CLOSE = '[data-testid="stSidebarCollapseButton"] button';

/** Close the menu when a page is chosen, and keep taps beside it from the page. Return a function that ends this. */
export function closeUsedMenu(page = document) {
  let isClosing = false; // by the tap that goes on
  const handlePress = (event) => {
    isClosing = window.innerWidth <= MAX_PHONE_WIDTH && page.querySelector(CLOSE) !== null && !event.target.closest(MENU);
    if (isClosing) event.stopPropagation(); // Streamlit listens to the mouse event that follows
  };
  const handleClick = (event) => {
    if (isClosing) {
      event.preventDefault();
      event.stopPropagation();
    } else if (window.innerWidth <= MAX_PHONE_WIDTH && event.target.closest(CHOICE)) {
      setTimeout(() => page.querySelector(CLOSE)?.click()); // after Streamlit's own handler
    }
    isClosing = false;
  };
  page.addEventListener("pointerdown", handlePress, true);
  page.addEventListener("click", handleClick, true);
  return () => {
    page.removeEventListener("pointerdown", handlePress, true);
    page.removeEventListener("click", handleClick, true);
  };
}
