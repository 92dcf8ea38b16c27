import type { IconName } from '../parts/icon';

export interface NavigationPage {
  readonly path: readonly string[];
  readonly words: string;
  readonly icon: IconName;
  readonly group: 'Fleet' | 'Explore' | 'Service';
  /** The page opens when the viewer presses `g` and then this key. */
  readonly key?: string;
  readonly role?: string;
}

export const navigationPages: readonly NavigationPage[] = [
  { path: [], words: 'Overview', icon: 'overview', group: 'Fleet', key: 'o' },
  { path: ['nodes'], words: 'Nodes', icon: 'nodes', group: 'Fleet', key: 'n' },
  { path: ['reports'], words: 'Reports', icon: 'reports', group: 'Fleet', key: 'r' },
  { path: ['events'], words: 'Events', icon: 'events', group: 'Fleet', key: 'e' },
  { path: ['facts'], words: 'Facts', icon: 'facts', group: 'Explore', key: 'f' },
  { path: ['packages'], words: 'Packages', icon: 'packages', group: 'Explore', key: 'p' },
  { path: ['resources'], words: 'Resources', icon: 'resources', group: 'Explore' },
  { path: ['compare'], words: 'Compare', icon: 'compare', group: 'Explore' },
  { path: ['drift'], words: 'Drift', icon: 'drift', group: 'Explore' },
  { path: ['query'], words: 'Query', icon: 'query', group: 'Explore', key: 'q' },
  { path: ['operation'], words: 'Operation', icon: 'operation', group: 'Service', role: 'admin' },
];
