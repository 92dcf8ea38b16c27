import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { clockWithSeconds } from '../parts/moments';
import { isPassing } from '../service/use-answer';
import { useSession } from './session';
import { TimeButton } from './time-control';
import { chooseTheme, chosenTheme, themes } from './theme';

const themeWords = { system: 'as the system', light: 'light', dark: 'dark' } as const;

interface TopBarProps {
  readonly asOf: string | undefined;
  readonly onSearch: () => void;
  readonly onTime: () => void;
}

export function TopBar({ asOf, onSearch, onTime }: TopBarProps) {
  return (
    <header class="bar">
      <button type="button" class="search grow" onClick={onSearch} aria-keyshortcuts="/ Control+K">
        <Icon name="search" />
        <span class="grow trunc">Find a node, fact, resource or command</span>
        <kbd class="hide" aria-hidden="true">
          /
        </kbd>
      </button>
      <span class="grow hide" />
      {asOf === undefined && <Freshness />}
      <TimeButton asOf={asOf} onOpen={onTime} />
      <ThemeButton />
    </header>
  );
}

function Freshness() {
  const { summary } = useSession();
  const { refusal, at } = summary;
  if (refusal !== undefined && isPassing(refusal))
    return (
      <span class="live bad" role="status">
        Not up to date, trying again
      </span>
    );
  if (at === undefined) return null;
  return (
    <span class="live hide" title="The page asks again every 15 s">
      Updated {clockWithSeconds(at)}
    </span>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <button
      type="button"
      class="btn plain"
      title={`Colours: ${themeWords[theme]}`}
      aria-label={`Colours: ${themeWords[theme]}. Change to ${themeWords[next]}`}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    >
      <Icon name="theme" />
    </button>
  );
}
