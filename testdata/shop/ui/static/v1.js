// Edition 1: a table, buttons, a dialog that is a div, the list of products at
// the end of the body.

import { combobox } from "./combobox.js";
import {
  count, creating, deletedBefore, deleting, element, leaveAfterDelete, orderAddress, search, toaster,
} from "./shop.js";

const $ = (css) => document.querySelector(css);

// modal animates in and out by a class, and makes the rest of the page inert.
function modal(mask) {
  const opener = { focus: null };
  const self = {
    open() {
      opener.focus = document.activeElement;
      mask.hidden = false;
      $(".page").inert = true;
      mask.getBoundingClientRect(); // the transition begins from the closed look
      mask.classList.add("is-open");
      mask.querySelector("input, button").focus();
    },
    async close() {
      mask.classList.remove("is-open");
      await Promise.allSettled(mask.getAnimations({ subtree: true }).map((a) => a.finished));
      mask.hidden = true;
      $(".page").inert = false;
      opener.focus?.focus();
    },
  };
  mask.addEventListener("keydown", (event) => {
    if (event.key === "Escape") self.close();
  });
  return self;
}

function remover(done) {
  return deleting({
    dialog: modal($("#confirm")), question: $("#confirm-text"), confirm: $("#confirm-yes"), keep: $("#confirm-no"), done,
  });
}

function drawRow(order) {
  const remove = element("button", { type: "button", class: "btn btn-link", "aria-label": `Delete order #${order.id}` }, "Delete");
  return element("tr", { "data-order": order.id },
    element("td", { class: "c-id" }, element("a", { href: orderAddress(order.id) }, `#${order.id}`)),
    element("td", { class: "c-customer" }, order.customer),
    element("td", { class: "c-product" }, order.product),
    element("td", { class: "c-quantity" }, String(order.quantity)),
    element("td", { class: "c-express" }, order.express ? "Yes" : "No"),
    element("td", { class: "c-date" }, order.date),
    element("td", {}, remove));
}

function drawCount() {
  $(".count").textContent = count($(".orders tbody").rows.length);
}

function productBox() {
  const box = $("#product");
  const popup = $("#product-list");
  return combobox({
    box,
    popup,
    optionClass: "combo-option",
    value: () => box.value,
    show: (name) => { box.value = name; },
    place() {
      const at = box.getBoundingClientRect();
      popup.style.cssText = `left: ${at.left}px; top: ${at.bottom + 4}px; width: ${at.width}px`;
    },
  });
}

function ordersPage() {
  const table = $(".orders");
  const rows = table.tBodies[0];
  const toast = toaster($(".toast"));
  search({
    input: $("#search"),
    list: table,
    draw(orders) {
      rows.replaceChildren(...orders.map(drawRow));
      drawCount();
    },
  });
  creating({
    opener: $("#new-order"), dialog: modal($("#order-form")), form: $("#order-form form"), product: productBox(),
    submit: $("#create"), cancel: $("#cancel"), alerts: $(".form-alert"), toast,
    added(order) {
      rows.prepend(drawRow(order));
      drawCount();
    },
  });
  const remove = remover((id) => {
    rows.querySelector(`[data-order="${id}"]`)?.remove();
    drawCount();
    toast.show(id, "deleted");
  });
  rows.addEventListener("click", (event) => {
    const row = event.target.closest("button") && event.target.closest("tr");
    if (row) remove(Number(row.dataset.order));
  });
  deletedBefore(toast);
}

if ($(".orders")) ordersPage();
if ($(".order")) {
  const remove = remover(leaveAfterDelete);
  $("#delete").addEventListener("click", () => remove(Number($(".order").dataset.order)));
}
$(".page").inert = false; // nothing could be pressed before it works
