"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const findings = JSON.parse(byId("findings").textContent);
  const body = byId("tests").tBodies[0];
  const heads = [...byId("tests").tHead.rows[0].cells];
  const query = byId("query");
  const smelly = byId("smelly");
  const toggles = [...document.querySelectorAll("[data-severity]")];
  const detail = byId("detail");
  const rank = { info: 1, warning: 2, error: 3 };
  const order = new Intl.Collator(undefined, { numeric: true });
  let sort = { column: -1, down: false };
  let opener = null;

  const rows = [...body.rows].map((row, index) => {
    const own = [...row.querySelectorAll("[data-finding]")].map((button) => ({
      column: button.parentElement.cellIndex,
      finding: findings[button.dataset.finding],
    }));
    const words = own.map(({ finding }) => `${finding.code} ${finding.name} ${finding.message}`);
    const text = `${row.dataset.test} ${words.join(" ")}`.toLowerCase();
    return { row, index, own, text, seen: own };
  });

  const keys = {
    text: (entry, column) => entry.row.cells[column].textContent,
    total: (entry) => entry.seen.length,
    smell: (entry, column) =>
      entry.seen
        .filter((each) => each.column === column)
        .reduce((sum, { finding }) => sum + 1000 ** rank[finding.severity], 0),
  };

  function sortRows() {
    const { column, down } = sort;
    const key = column < 0 ? null : keys[heads[column].dataset.sort];
    const valued = rows.map((entry) => [key ? key(entry, column) : entry.index, entry]);
    const sign = down ? -1 : 1;
    valued.sort(([a, left], [b, right]) => {
      const difference = typeof a === "string" ? order.compare(a, b) : a - b;
      return sign * difference || left.index - right.index;
    });
    body.append(...valued.map(([, entry]) => entry.row));
    heads.forEach((head, number) => {
      const state = number !== column ? "none" : down ? "descending" : "ascending";
      head.setAttribute("aria-sort", state);
    });
  }

  function filterRows() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hidden = new Set(toggles.filter((box) => !box.checked).map((box) => box.dataset.severity));
    for (const severity of Object.keys(rank)) {
      body.classList.toggle(`hide-${severity}`, hidden.has(severity));
    }
    let shown = 0;
    for (const entry of rows) {
      entry.seen = entry.own.filter(({ finding }) => !hidden.has(finding.severity));
      const match = words.every((word) => entry.text.includes(word));
      const visible = match && (entry.seen.length > 0 || !smelly.checked);
      entry.row.hidden = !visible;
      entry.row.lastElementChild.textContent = entry.seen.length || "";
      shown += visible;
    }
    byId("shown").textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  }

  function remember() {
    const state = new URLSearchParams();
    if (query.value) state.set("q", query.value);
    if (smelly.checked) state.set("smelly", "1");
    const off = toggles.filter((box) => !box.checked).map((box) => box.dataset.severity);
    if (off.length) state.set("hide", off.join(" "));
    if (sort.column >= 0) state.set("sort", `${sort.down ? "-" : ""}${sort.column}`);
    if (opener) state.set("open", opener.dataset.finding);
    history.replaceState(null, "", `#${state}`);
  }

  function openFrom(state) {
    const button = body.querySelector(`[data-finding="${Number.parseInt(state.get("open"), 10)}"]`);
    if (button) open(button.closest("tr"), [findings[button.dataset.finding]], button);
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    query.value = state.get("q") ?? "";
    smelly.checked = state.has("smelly");
    const off = (state.get("hide") ?? "").split(" ");
    toggles.forEach((box) => { box.checked = !off.includes(box.dataset.severity); });
    const wanted = state.get("sort") ?? "";
    const column = Number.parseInt(wanted.replace("-", ""), 10);
    sort = column in heads ? { column, down: wanted.startsWith("-") } : { column: -1, down: false };
    filterRows();
    sortRows();
    openFrom(state);
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function describe(finding) {
    const article = document.createElement("article");
    const title = element("h3", `${finding.code} ${finding.name} `);
    title.append(element("span", finding.severity, `cell ${finding.severity}`));
    article.append(title, element("p", finding.place, "place"), element("p", finding.message));
    if (finding.frame) article.append(element("pre", finding.frame));
    for (const related of finding.related) article.append(element("p", related, "place"));
    if (finding.advice) article.append(element("p", finding.advice));
    if (finding.url) {
      const link = element("a", "About this smell");
      link.href = finding.url;
      link.rel = "noreferrer";
      article.append(link);
    }
    return article;
  }

  function close() {
    if (detail.hidden) return;
    detail.hidden = true;
    opener?.setAttribute("aria-expanded", "false");
    opener?.focus();
    opener = null;
    remember();
  }

  function open(row, shown, button) {
    close();
    opener = button;
    opener?.setAttribute("aria-expanded", "true");
    const shut = element("button", "Close", "plain");
    shut.addEventListener("click", close);
    detail.replaceChildren(shut, element("h2", row.dataset.test), ...shown.map(describe));
    detail.hidden = false;
    detail.scrollTop = 0;
    remember();
  }

  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    const button = event.target.closest("[data-finding]");
    const entry = rows.find((each) => each.row === row);
    if (button) open(row, [findings[button.dataset.finding]], button);
    else if (entry.seen.length) open(row, entry.seen.map(({ finding }) => finding), null);
  });
  heads.forEach((head, column) =>
    head.querySelector("button").addEventListener("click", () => {
      const again = sort.column === column;
      sort = { column, down: again ? !sort.down : head.dataset.sort !== "text" };
      sortRows();
      remember();
    }),
  );
  let waiting = 0;
  const update = () => {
    filterRows();
    if (sort.column >= 0 && heads[sort.column].dataset.sort !== "text") sortRows();
    remember();
  };
  query.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(update, 80); });
  query.addEventListener("change", update);
  [smelly, ...toggles].forEach((box) => box.addEventListener("change", update));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  byId("tools").addEventListener("submit", (event) => event.preventDefault());

  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => { root.dataset.theme = dark.matches ? "dark" : "light"; };
  dark.addEventListener("change", paint);
  byId("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });
  paint();
  window.addEventListener("hashchange", recall);
  recall();
})();
