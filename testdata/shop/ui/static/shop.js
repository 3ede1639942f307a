// What both editions of the shop share: requests and the flow of the pages.
// An edition hands in its own elements and says how they are drawn.

const address = new URLSearchParams(location.search);
const base = document.documentElement.dataset.base;

export class Refused extends Error {
  constructor({ error, field }) {
    super(error);
    this.field = field;
  }
}

export async function request(method, path, { query = {}, body, signal } = {}) {
  const url = new URL(base + path, location.origin);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  if (address.has("slow")) url.searchParams.set("slow", address.get("slow"));
  const response = await fetch(url, {
    method,
    signal,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  if (response.status === 401) {
    location.assign(base + "/login");
    return new Promise(() => {}); // the page is about to go
  }
  if (response.status === 204) return null;
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer);
  return answer;
}

// element makes a DOM node: tag, attributes, children.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export const orderAddress = (id) => `${base}/orders/${id}`;

// pressable makes a div with a button's role behave as one.
export function pressable(node, press) {
  const act = (event) => {
    if (node.getAttribute("aria-disabled") === "true") return;
    press(event);
  };
  node.addEventListener("click", act);
  if (node.tagName === "BUTTON") return;
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act(event);
  });
}

// toaster shows messages in one live region.
export function toaster(region, shownMilliseconds = 5000) {
  let timer;
  const clear = () => {
    clearTimeout(timer);
    region.replaceChildren();
    delete region.dataset.order;
  };
  return {
    clear,
    show(id, what) {
      clear();
      region.dataset.order = id;
      region.append("Order ", element("a", { href: orderAddress(id) }, `#${id}`), ` ${what}`);
      timer = setTimeout(clear, shownMilliseconds);
    },
  };
}

// search filters the list while the user types. The last question wins.
export function search({ input, list, draw }) {
  let timer;
  let running = new AbortController();
  const look = async () => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      draw(await request("GET", "/api/orders", { query: { q: input.value }, signal }));
    } catch (error) {
      if (error.name === "AbortError") return;
      throw error;
    }
    const url = new URL(location.href);
    if (input.value) url.searchParams.set("q", input.value);
    else url.searchParams.delete("q");
    history.replaceState(null, "", url);
    list.setAttribute("aria-busy", "false");
  };
  input.addEventListener("input", () => {
    running.abort(); // an old answer must not pass for the new one
    list.setAttribute("aria-busy", "true");
    clearTimeout(timer);
    timer = setTimeout(look, 100);
  });
  input.disabled = false; // what is typed now is not lost
}

// creating runs the dialog that makes an order.
export function creating({ opener, dialog, form, product, submit, cancel, alerts, toast, added }) {
  const idle = (is) => {
    if (submit.tagName === "BUTTON") submit.disabled = !is;
    else submit.setAttribute("aria-disabled", String(!is));
  };
  pressable(opener, () => {
    form.reset();
    product.clear();
    alerts.replaceChildren();
    toast.clear();
    dialog.open();
  });
  pressable(cancel, () => dialog.close());
  if (submit.tagName !== "BUTTON") pressable(submit, () => form.requestSubmit());

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    alerts.replaceChildren();
    idle(false);
    const field = form.elements;
    try {
      const order = await request("POST", "/api/orders", {
        body: {
          customer: field.customer.value,
          product: product.value(),
          quantity: Number(field.quantity.value),
          express: field.express.checked,
          date: field.date.value,
          notes: field.notes.value,
        },
      });
      await dialog.close();
      added(order);
      toast.show(order.id, "created");
    } catch (error) {
      alerts.append(element("p", { role: "alert" }, error.message));
    } finally {
      idle(true);
    }
  });
}

// deleting asks in a dialog of the page before it deletes an order.
export function deleting({ dialog, question, confirm, keep, done }) {
  let id;
  const disabled = (is) => {
    if (confirm.tagName === "BUTTON") confirm.disabled = is;
    else confirm.setAttribute("aria-disabled", String(is));
  };
  pressable(keep, () => dialog.close());
  pressable(confirm, async () => {
    disabled(true);
    try {
      await request("DELETE", `/api/orders/${id}`);
      await dialog.close();
      done(id);
    } finally {
      disabled(false);
    }
  });
  return (order) => {
    id = order;
    question.textContent = `Delete order #${id}? This cannot be undone.`;
    dialog.open();
  };
}

// deletedBefore shows the message for an order that its own page deleted.
export function deletedBefore(toast) {
  const id = Number(address.get("deleted"));
  if (!id) return;
  toast.show(id, "deleted");
  const url = new URL(location.href);
  url.searchParams.delete("deleted");
  history.replaceState(null, "", url);
}

export const leaveAfterDelete = (id) => location.assign(`${base}/orders?deleted=${id}`);

export const count = (n) => (n === 1 ? "1 order" : `${n} orders`);
