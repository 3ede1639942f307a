// Edition 2: the same application drawn with divs and roles, <dialog>, and a
// combobox without a text field.

import { combobox } from "./combobox.js";
import {
  count, creating, deletedBefore, deleting, element, leaveAfterDelete, orderAddress, pressable, search, toaster,
} from "./shop.js";

const part = (name, within = document) => within.querySelector(`[data-part="${name}"]`);

const frames = [
  { opacity: 0, transform: "translateY(32px)" },
  { opacity: 1, transform: "none" },
];

// sheet animates a <dialog> in and out.
function sheet(dialog) {
  const self = {
    open() {
      dialog.showModal();
      dialog.animate(frames, { duration: 200, easing: "ease-out" });
    },
    async close() {
      await dialog.animate(frames, { duration: 200, direction: "reverse", fill: "forwards" }).finished;
      dialog.close();
      for (const animation of dialog.getAnimations()) animation.cancel();
    },
  };
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    self.close();
  });
  return self;
}

function remover(done) {
  const dialog = part("confirm");
  return deleting({
    dialog: sheet(dialog), question: part("question", dialog), confirm: part("yes", dialog), keep: part("no", dialog), done,
  });
}

function drawRow(order) {
  const cell = (column, ...children) => element("div", { role: "cell", class: "grid__cell", "data-col": column }, ...children);
  const remove = element("div", { role: "button", tabindex: 0, class: "x-link", "aria-label": `Delete order #${order.id}` }, "Delete");
  return element("div", { role: "row", class: "grid__row", "data-order": order.id },
    cell("id", element("a", { href: orderAddress(order.id) }, `#${order.id}`)),
    cell("customer", order.customer),
    cell("product", order.product),
    cell("quantity", String(order.quantity)),
    cell("express", order.express ? "Yes" : "No"),
    cell("date", order.date),
    cell("tools", remove));
}

function productBox() {
  const box = part("product");
  const shown = part("product-value");
  return combobox({
    box,
    popup: part("product-list"),
    optionClass: "choice",
    value: () => box.dataset.value ?? "",
    show(name) {
      box.dataset.value = name;
      shown.textContent = name || "Choose…";
    },
  });
}

function ordersPage() {
  const grid = part("orders");
  const rows = part("rows");
  const toast = toaster(part("note"));
  const drawCount = () => { part("count").textContent = count(rows.children.length); };
  search({
    input: part("search"),
    list: grid,
    draw(orders) {
      rows.replaceChildren(...orders.map(drawRow).map(wire));
      drawCount();
    },
  });
  const dialog = part("order-form");
  creating({
    opener: part("new"), dialog: sheet(dialog), form: dialog.querySelector("form"), product: productBox(),
    submit: part("create", dialog), cancel: part("cancel", dialog), alerts: part("alerts", dialog), toast,
    added(order) {
      rows.prepend(wire(drawRow(order)));
      drawCount();
    },
  });
  const remove = remover((id) => {
    rows.querySelector(`[data-order="${id}"]`)?.remove();
    drawCount();
    toast.show(id, "deleted");
  });
  function wire(row) {
    pressable(row.querySelector(".x-link"), () => remove(Number(row.dataset.order)));
    return row;
  }
  [...rows.children].forEach(wire);
  deletedBefore(toast);
}

if (part("orders")) ordersPage();
if (part("order")) {
  const remove = remover(leaveAfterDelete);
  pressable(part("delete"), () => remove(Number(part("order").dataset.order)));
}
part("page").inert = false; // nothing could be pressed before it works
