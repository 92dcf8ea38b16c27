export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const key = 'nodeledger.theme';

export function chosenTheme(): Theme {
  const stored = remembered();
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The browser stores nothing: the choice holds until the page is left.
  }
  applyTheme(theme);
}

export function applyTheme(theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
