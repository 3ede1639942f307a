// The page of both versions: a customer form, a table of orders, and a dialog
// that adds one.

const { Button, Card, Checkbox, DatePicker, Form, Input, InputNumber, Modal, Select, Switch, Table, message } = antd;
const { createElement: h, useState } = React;

const zh = new URLSearchParams(location.search).get("lang") === "zh";
const words = zh
  ? { add: "新建", ok: "确定", cancel: "取消", save: "保存" }
  : { add: "New", ok: "OK", cancel: "Cancel", save: "Save" };

const options = (...names) => names.map((name) => ({ value: name.toLowerCase(), label: name }));
const wide = { style: { width: "100%" } };
const required = (what) => [{ required: true, message: `Please give the ${what}` }];
const item = (name, label, control, more = {}) => h(Form.Item, { name, label, key: name, ...more }, control);
const checked = { valuePropName: "checked" };
const saved = () => new Promise((resolve) => setTimeout(resolve, 150)); // as a server would take
const day = (date) => (date ? date.format("YYYY-MM-DD") : "");

function Customer() {
  const [form] = Form.useForm();
  const [saving, setSaving] = useState(false);
  const [result, setResult] = useState("");
  async function save(values) {
    setSaving(true);
    await saved();
    setSaving(false);
    setResult(`Saved ${values.name} (${values.segment}), since ${day(values.since) || "today"}, ` +
      `credit ${values.credit}, newsletter ${values.newsletter ? "yes" : "no"}, active ${values.active ? "yes" : "no"}`);
    message.success("Customer saved");
  }
  const initialValues = { credit: 100, active: true, segment: "private" };
  return h(Card, { title: "Customer", style: { marginBottom: 24 } },
    h(Form, { form, name: "customer", layout: "vertical", initialValues, onFinish: save },
      item("name", "Name", h(Input, { maxLength: 40 }), { rules: required("name") }),
      item("segment", "Segment", h(Select, { options: options("Private", "Company", "School") })),
      item("since", "Customer since", h(DatePicker, wide)),
      item("credit", "Credit", h(InputNumber, { min: 0, max: 10000, ...wide })),
      item("newsletter", null, h(Checkbox, null, "Newsletter"), checked),
      item("active", "Active", h(Switch), checked),
      h(Button, { type: "primary", htmlType: "submit", loading: saving }, words.save)),
    h("p", { "data-testid": "result", role: "status" }, result));
}

const products = options("Anvil", "Bellows", "Compass", "Drill press", "Easel", "Filing cabinet", "Globe", "Hand mill",
  "Inkwell", "Kaleidoscope", "Lantern", "Magnifier");

const columns = ["Order", "Customer", "Product", "Quantity", "Delivery", "Express", "Gift"]
  .map((title) => ({ title, dataIndex: title.toLowerCase(), key: title }));

function NewOrder({ open, close, add }) {
  const [form] = Form.useForm();
  const [saving, setSaving] = useState(false);
  async function ok() {
    let values;
    try {
      values = await form.validateFields();
    } catch {
      return; // the form shows what is missing
    }
    setSaving(true);
    await saved();
    setSaving(false);
    form.resetFields();
    add(values);
  }
  const props = {
    title: "New order", open, onOk: ok, onCancel: close, confirmLoading: saving, okText: words.ok, cancelText: words.cancel,
  };
  return h(Modal, props,
    h(Form, { form, name: "order", layout: "vertical", initialValues: { quantity: 1 } },
      item("customer", "Customer", h(Input), { rules: required("customer") }),
      item("product", "Product", h(Select, { options: products, showSearch: true, optionFilterProp: "label", placeholder: "Choose" }),
        { rules: required("product") }),
      item("quantity", "Quantity", h(InputNumber, { min: 1, max: 99, ...wide })),
      item("delivery", "Delivery", h(DatePicker, wide)),
      item("express", null, h(Checkbox, null, "Express"), checked),
      item("gift", "Gift", h(Switch), checked)));
}

function Orders() {
  const [rows, setRows] = useState([
    { key: 1, order: 1, customer: "Grace Hopper", product: "Compass", quantity: 2, delivery: "2026-03-02", express: "No", gift: "No" },
  ]);
  const [open, setOpen] = useState(false);
  function add(values) {
    const order = rows.length + 1;
    const product = products.find((p) => p.value === values.product).label;
    setRows([...rows, {
      key: order, order, customer: values.customer, product, quantity: values.quantity, delivery: day(values.delivery),
      express: values.express ? "Yes" : "No", gift: values.gift ? "Yes" : "No",
    }]);
    setOpen(false);
    message.success(`Order ${order} created`);
  }
  const opener = h(Button, { type: "primary", onClick: () => setOpen(true) }, words.add);
  return h(Card, { title: "Orders", extra: opener },
    h(Table, { columns, dataSource: rows, pagination: false, size: "small" }),
    h(NewOrder, { open, close: () => setOpen(false), add }));
}

const app = h("main", null, h("h1", null, `Ant Design ${antd.version}`), h(Customer), h(Orders));
const root = document.getElementById("app");
if (ReactDOM.createRoot) ReactDOM.createRoot(root).render(app);
else ReactDOM.render(app, root);
