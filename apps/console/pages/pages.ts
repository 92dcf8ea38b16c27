import type { FunctionComponent } from 'preact';
import type { PageProps } from './page-props';
import { visible } from '../parts/text';
import { ComparePage } from './compare/compare-page';
import { DriftPage } from './drift/drift-page';
import { EventsPage } from './events/events-page';
import { FactPage } from './facts/fact-page';
import { FactsPage } from './facts/facts-page';
import { NodePage } from './node/node-page';
import { NodesPage } from './nodes/nodes-page';
import { LetterPage } from './operation/letter-page';
import { OperationPage } from './operation/operation-page';
import { SettingsPage } from './operation/settings-page';
import { OverviewPage } from './overview/overview-page';
import { PackagePage } from './packages/package-page';
import { PackagesPage } from './packages/packages-page';
import { QueryPage } from './query/query-page';
import { ReportPage } from './report/report-page';
import { ReportsPage } from './report/reports-page';
import { ResourcePage } from './resources/resource-page';
import { ResourcesPage } from './resources/resources-page';

interface Page {
  readonly matches: (path: readonly string[]) => boolean;
  readonly title: (path: readonly string[]) => string;
  readonly page: FunctionComponent<PageProps>;
  /** Role that the viewer needs (default: query). */
  readonly role?: string;
  /**
   * Returns a text that identifies the subject of the page, such as a node. The page keeps its state until this text
   * changes.
   */
  readonly identity?: (path: readonly string[]) => string;
}

const at =
  (first: string | undefined, least = 1, most = least) =>
  (path: readonly string[]): boolean =>
    path[0] === first && path.length >= least && path.length <= most;

const named = (path: readonly string[]): string => path.slice(0, 2).join('/');
const list = (first: string, words: string, page: FunctionComponent<PageProps>, role?: string): Page => ({
  matches: at(first),
  title: () => words,
  page,
  ...(role === undefined ? {} : { role }),
});

export const pages: readonly Page[] = [
  { matches: at(undefined, 0), title: () => 'Overview', page: OverviewPage },
  list('nodes', 'Nodes', NodesPage),
  { matches: at('nodes', 2, 3), title: ([, name = '']) => visible(name), page: NodePage, identity: named },
  list('reports', 'Reports', ReportsPage),
  { matches: at('reports', 2, 3), title: () => 'Report', page: ReportPage, identity: named },
  list('events', 'Events', EventsPage),
  list('facts', 'Facts', FactsPage),
  { matches: at('facts', 2), title: ([, path = '']) => `${visible(path)} · Facts`, page: FactPage, identity: named },
  list('packages', 'Packages', PackagesPage),
  {
    matches: at('packages', 2),
    title: ([, name = '']) => `${visible(name)} · Packages`,
    page: PackagePage,
    identity: named,
  },
  { matches: at('resources', 1, 2), title: () => 'Resources', page: ResourcesPage },
  {
    matches: at('resources', 3),
    title: ([, type = '', title = '']) => visible(`${type}[${title}]`),
    page: ResourcePage,
    identity: (path) => path.join('/'),
  },
  list('compare', 'Compare', ComparePage),
  list('drift', 'Drift', DriftPage),
  list('query', 'Query', QueryPage),
  list('operation', 'Operation', OperationPage, 'admin'),
  {
    matches: (path) => at('operation', 2)(path) && path[1] === 'settings',
    title: () => 'Settings',
    page: SettingsPage,
    role: 'admin',
  },
  {
    matches: (path) => at('operation', 3)(path) && path[1] === 'dead-letters',
    title: ([, , name = '']) => `Dead letter ${name}`,
    page: LetterPage,
    role: 'admin',
    identity: (path) => path.join('/'),
  },
];
