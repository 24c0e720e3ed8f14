import "./parts/style.css";
import "./parts/value.css";
import { type ComponentType, StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { ApprovalsView, useWaiting } from "./approve/ApprovalsView.js";
import { BackFromLogin } from "./approve/Connect.js";
import { AskView } from "./ask/AskView.js";
import { CostsView } from "./costs/CostsView.js";
import { LibraryView } from "./library/LibraryView.js";
import { Button, Loaded, Form, Field, useTitle } from "./parts/Frame.js";
import {
  forgetKey,
  hasKey,
  type Caller,
  CallerContext,
  useNews,
  keepKey,
  keyIsGiven,
} from "./parts/api.js";
import { useRoute } from "./parts/words.js";
import { useFetched } from "./parts/useLive.js";
import { RunsView } from "./runs/RunsView.js";

/** The views, in the order of the navigation; each is a folder. The first is where one lands. */
const VIEWS: Record<string, { title: string; View: ComponentType<{ rest: string[] }> }> = {
  ask: { title: "Ask", View: AskView },
  approvals: { title: "Approvals", View: ApprovalsView },
  runs: { title: "Runs", View: RunsView },
  library: { title: "Library", View: LibraryView },
  costs: { title: "Costs and keys", View: CostsView },
};

function App() {
  const news = useNews();
  if (news.wantsKey) return <KeyForm />;
  return (
    <>
      {news.away && (
        <p className="away bad" role="alert">
          {news.away}
        </p>
      )}
      <Entered />
      <p className={`told ${news.isBad ? "bad" : ""}`} role="status" aria-live="polite">
        {news.told}
      </p>
    </>
  );
}

/** The page, once the server has said whose it is. */
function Entered() {
  const caller = useFetched<Caller>("/console/caller");
  return (
    <Loaded of={caller}>
      {(known) => (
        <CallerContext value={known}>
          <BackFromLogin />
          <Page />
        </CallerContext>
      )}
    </Loaded>
  );
}

function Page() {
  const [name = "", ...rest] = useRoute();
  const known = name in VIEWS ? name : "ask";
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Leads screen readers to the new view.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [known]);
  const { View } = VIEWS[known] ?? { View: AskView };
  return (
    <div className="page">
      <a className="skip unseen" href="#main" onClick={(event) => jump(event, main.current)}>
        Skip to content
      </a>
      <Navigation known={known} />
      <main ref={main} tabIndex={-1}>
        <View rest={rest} />
      </main>
    </div>
  );
}

/** The address is the view's, so a jump within it must not change it. */
function jump(event: { preventDefault: () => void }, to: HTMLElement | null): void {
  event.preventDefault();
  to?.focus();
}

function Navigation({ known }: { known: string }) {
  const count = useWaiting().value?.length ?? 0;
  return (
    <header className="side">
      <p className="name">
        <span className="mark" aria-hidden="true" />
        tulipgraph
      </p>
      <nav aria-label="Views">
        <ul>
          {Object.entries(VIEWS).map(([name, { title }]) => (
            <li key={name}>
              <a href={`#${name}`} aria-current={name === known ? "page" : undefined}>
                {title}
                {name === "approvals" && count > 0 && (
                  <span className="count">
                    {count}
                    <span className="unseen"> waiting</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {hasKey() && (
        <Button className="link forget" onClick={forget}>
          Forget key
        </Button>
      )}
    </header>
  );
}

function forget(): void {
  forgetKey();
  location.reload();
}

const place = document.getElementById("page");
if (place)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

/** Asks for a key where the server wants one. The tab keeps it until it is closed. */
function KeyForm() {
  const [isWrong] = useState(hasKey);
  const [key, setKey] = useState("");
  useTitle("Key");
  const submit = () => {
    if (key.trim() === "") return;
    keepKey(key.trim());
    keyIsGiven();
  };
  return (
    <main className="gate">
      <Form className="card box" send={submit}>
        <h1>A key is required</h1>
        <p className="muted">
          The operator of this server can create one with <code>tulipgraph keys create</code>. The
          key stays in this tab until you close it.
        </p>
        {isWrong && (
          <p className="notice bad" role="alert">
            The server does not accept this key.
          </p>
        )}
        <Field label="Key">
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        </Field>
        <Button type="submit" kind="main">
          Continue
        </Button>
      </Form>
    </main>
  );
}
