// The combobox of both editions: the choices come by a slow request when it
// opens. It opens on mousedown and chooses on click, as component libraries do.

import { element, request } from "./shop.js";

// combobox drives box, an input to type in or an element to choose in. popup
// is its listbox, closed while hidden; value and show read and write what is
// chosen; place puts the popup where it belongs.
export function combobox({ box, popup, optionClass, value, show, place = () => {} }) {
  const typed = box.tagName === "INPUT";
  let active = -1;
  let asked = 0;

  const isOpen = () => !popup.hidden;
  const options = () => [...popup.querySelectorAll("[role=option]")];

  function mark(index) {
    active = index;
    options().forEach((option, i) => option.classList.toggle(`${optionClass}--active`, i === index));
    const option = options()[index];
    if (option) {
      box.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      box.removeAttribute("aria-activedescendant");
    }
  }

  async function load(words) {
    const mine = ++asked;
    popup.setAttribute("aria-busy", "true");
    popup.replaceChildren(element("div", { class: `${optionClass}--none`, role: "presentation" }, "Loading…"));
    const names = await request("GET", "/api/products", { query: { q: words } });
    if (mine !== asked) return;
    popup.setAttribute("aria-busy", "false");
    popup.replaceChildren(...names.map(drawOption));
    if (names.length === 0) {
      popup.append(element("div", { class: `${optionClass}--none`, role: "presentation" }, "No products"));
    }
    mark(-1);
  }

  function drawOption(name, i) {
    const option = element("div", {
      role: "option", id: `${popup.id}-${i}`, class: optionClass, "aria-selected": String(name === value()),
    }, name);
    option.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
    option.addEventListener("click", () => choose(name));
    return option;
  }

  function choose(name) {
    show(name);
    close();
  }

  function open(words = "") {
    if (isOpen()) return;
    popup.hidden = false;
    box.setAttribute("aria-expanded", "true");
    place();
    load(words);
  }

  function close() {
    asked++;
    popup.hidden = true;
    box.setAttribute("aria-expanded", "false");
    mark(-1);
  }

  box.addEventListener("mousedown", () => (isOpen() && !typed ? close() : open()));
  box.addEventListener("blur", close);
  if (typed) {
    box.addEventListener("input", () => (isOpen() ? load(box.value) : open(box.value)));
  }
  box.addEventListener("keydown", (event) => {
    const last = options().length - 1;
    switch (event.key) {
      case "ArrowDown":
        if (isOpen()) mark(Math.min(active + 1, last));
        else open();
        break;
      case "ArrowUp":
        mark(Math.max(active - 1, 0));
        break;
      case "Enter":
        if (!isOpen()) return;
        if (active >= 0) choose(options()[active].textContent);
        break;
      case "Escape":
        if (!isOpen()) return;
        event.stopPropagation(); // the dialog stays
        close();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
  return { value, clear: () => show("") };
}
