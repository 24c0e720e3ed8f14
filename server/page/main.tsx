import { type ComponentType, StrictMode, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import "./parts/style.css";
import "./parts/value.css";
import { ApprovalsView } from "./approve/ApprovalsView.js";
import { BackFromLogin } from "./approve/Connect.js";
import { useWaiting } from "./approve/waiting.js";
import { AskView } from "./ask/AskView.js";
import { CostsView } from "./costs/CostsView.js";
import { LibraryView } from "./library/LibraryView.js";
import { Button } from "./parts/Button.js";
import { Loaded } from "./parts/Frame.js";
import { KeyForm } from "./parts/KeyForm.js";
import { forgetKey, get, hasKey } from "./parts/api.js";
import { type Caller, CallerContext } from "./parts/caller.js";
import { useNews } from "./parts/news.js";
import { useRoute } from "./parts/route.js";
import { useLive } from "./parts/useLive.js";
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
  const caller = useLive("caller", () => get<Caller>("/console/caller"));
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
