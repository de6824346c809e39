"use strict";

(() => {
  const root = document.getElementById("root");
  const config = JSON.parse(document.getElementById("config").textContent);
  if (!window.React || !window.ReactDOM || !window.GraphiQL) {
    root.firstElementChild.textContent =
      "GraphiQL could not be loaded. Reload the page; if that does not help, run ./scripts/install.";
    return;
  }

  const { createElement: h, useState, useEffect, useMemo } = React;
  const HEADER_KEEPERS = ["graphiql:queries", "graphiql:favorites"];
  const TABS_KEY = "graphiql:tabState";
  const icon = document.querySelector("link[rel=icon]").href;
  const NEW_TAB = "# Ctrl-Space suggests, Ctrl-Enter runs.\n\n";

  const asText = (headers) =>
    Object.keys(headers).length ? JSON.stringify(headers, null, 2) : "";

  // GraphiQL keeps the headers of every past query. A token must not reach the disk, nor an old
  // one come back from it: they are dropped on the way out and the current ones put in on the way in.
  let currentHeaders = asText(config.headers);
  const disk = GraphiQL.createLocalStorage({ namespace: "guildhall" });
  const storage = Object.assign(Object.create(disk), {
    setItem(key, value) {
      disk.setItem(key, HEADER_KEEPERS.includes(key) ? setHeaders(value, undefined) : value);
    },
    getItem(key) {
      const value = disk.getItem(key);
      return value && HEADER_KEEPERS.includes(key) ? setHeaders(value, currentHeaders) : value;
    },
  });

  function setHeaders(json, headers) {
    try {
      const [[name, items]] = Object.entries(JSON.parse(json));
      return JSON.stringify({ [name]: items.map((item) => ({ ...item, headers })) });
    } catch {
      return "";
    }
  }

  function readTabs() {
    try {
      const { tabs, activeTabIndex } = JSON.parse(disk.getItem(TABS_KEY));
      return { tabs, active: tabs[activeTabIndex] ?? tabs[0] };
    } catch {
      return { tabs: [], active: undefined };
    }
  }

  // Examples create what they change, under an id of their own for each user.
  const EXAMPLE_ID_KEY = "graphiql:exampleId";
  const nameOf = (id) => `ada${id.slice(0, 8)}`;

  function newExampleId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    disk.setItem(EXAMPLE_ID_KEY, id);
    return id;
  }
  let exampleId = disk.getItem(EXAMPLE_ID_KEY) || newExampleId();

  const replaceId = (text, id, name) =>
    text?.replaceAll(id, exampleId).replaceAll(name, nameOf(exampleId));

  const exampleTabs = () =>
    config.tabs.map(({ query, variables }) => ({
      query,
      variables: replaceId(variables, config.newId, config.newName),
    }));

  function renewExamples() {
    const before = exampleId;
    const tabs = disk.getItem(TABS_KEY);
    exampleId = newExampleId();
    if (tabs) disk.setItem(TABS_KEY, replaceId(tabs, before, nameOf(before)));
  }

  const operationOf = (query) => /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query ?? "")?.[1];

  function withExamples() {
    const names = new Set(config.tabs.map((tab) => operationOf(tab.query)));
    const own = readTabs().tabs.filter(
      ({ query }) => query && query !== NEW_TAB && !names.has(operationOf(query)),
    );
    return [...exampleTabs(), ...own.map(({ query, variables }) => ({ query, variables }))];
  }

  function socketUrl(path) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    return url.href;
  }

  // Set by the page below; the fetcher must stay the same object or GraphiQL reads the schema again.
  let onResult = () => {};
  const send = GraphiQL.createFetcher({
    url: config.endpoint,
    subscriptionUrl: socketUrl(config.subscriptions),
    headers: { accept: "application/graphql-response+json, application/json" },
    enableIncrementalDelivery: false,
  });
  async function fetcher(request, options) {
    const result = await send(request, options);
    onResult(result);
    return result;
  }

  function findSession(result) {
    const session = Object.values(result.data ?? {}).find((value) => value?.accessToken);
    return session && {
      user: `Signed in as ${session.user?.nickname ?? "another user"}`,
      name: session.user?.nickname ?? "this user",
      headers: { Authorization: `Bearer ${session.accessToken}` },
      response: JSON.stringify(result, null, 2),
    };
  }

  // A wrong password says nothing about the token.
  const SESSION_FIELDS = ["signUp", "signIn", "refreshSession"];
  const isRefused = (result) =>
    (result.errors ?? []).some(
      ({ extensions, path }) =>
        extensions?.code === "UNAUTHENTICATED" && !SESSION_FIELDS.includes(path?.[0]),
    );

  function Editor({ session, examples }) {
    const props = useMemo(() => {
      const tabs = examples ?? exampleTabs();
      const active = (examples ? undefined : readTabs().active) ?? tabs[0];
      const headers = asText(session.headers);
      return {
        fetcher,
        storage,
        headers,
        defaultHeaders: headers,
        shouldPersistHeaders: false,
        defaultTabs: tabs.length ? tabs : undefined,
        defaultQuery: NEW_TAB,
        // GraphiQL stores the open text apart from the tabs and adds a tab when they disagree, and
        // it shows a first tab without its variables: so both come from the tab that is to open.
        query: active?.query ?? "",
        variables: active?.variables ?? "",
        response: session.response,
        defaultEditorToolsVisibility: "variables",
        inputValueDeprecation: true,
        schemaDescription: true,
      };
    }, []);
    return h(GraphiQL, props, h(GraphiQL.Logo, null, " "));
  }

  const button = (text, onClick, kind = "") =>
    h("button", { type: "button", className: `note-button ${kind}`, onClick }, text);

  function Hint({ refused, offer, signedIn, act }) {
    if (offer) return button(`Continue as ${offer.name}`, () => act(offer), "note-offer");
    if (refused && signedIn) {
      return h("span", { className: "note-refused", role: "status" },
        "The token is no longer accepted. ",
        button("Reload for a fresh one", () => location.reload(), "note-offer"));
    }
    if (refused) {
      return h("span", { className: "note-refused", role: "status" },
        "That needs a user: run SignUp or SignIn.");
    }
    return h("span", { className: "note-hint" },
      "To be someone else, run SignUp or SignIn, or paste an accessToken under Headers.");
  }

  function Page() {
    const first = { user: config.user, headers: config.headers };
    const [state, setState] = useState({ session: first, mount: 0 });
    const [seen, setSeen] = useState({});

    useEffect(() => {
      onResult = (result) => {
        const offer = findSession(result);
        if (offer || isRefused(result)) setSeen({ offer, refused: !offer });
        else if (result.data && !result.data.__schema) setSeen(({ offer }) => ({ offer }));
      };
    }, []);

    function open(session, examples) {
      currentHeaders = asText(session.headers);
      setSeen({});
      if (session.user !== state.session.user) renewExamples();
      setState({ session, examples, mount: state.mount + 1 });
    }
    function restore() {
      exampleId = newExampleId();
      const examples = withExamples();
      disk.removeItem(TABS_KEY);
      open({ ...state.session, response: undefined }, examples);
    }

    const { session, examples, mount } = state;
    return h("div", { className: "page" },
      h("header", { className: "note" },
        h("img", { src: icon, alt: "", width: 24, height: 24 }),
        h("span", { className: "note-name" }, "Guildhall"),
        h("span", { className: "note-user", id: "user" }, session.user),
        session.user !== first.user && button("Switch back", () => open(first)),
        h(Hint, { ...seen, signedIn: Boolean(session.headers.Authorization), act: open }),
        h("span", { className: "note-space" }),
        button("Restore examples", restore)),
      // A new key mounts GraphiQL anew: every tab then takes the new user's headers.
      h("div", { className: "editor" }, h(Editor, { key: mount, session, examples })));
  }

  ReactDOM.createRoot(root).render(h(Page));
})();
