import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Described } from '#openapi';
import * as described from './descriptions/meta';
import { ServedPaths } from '../served-paths';
import { ServiceState } from './service-state';

/** The root redirects browsers to this path, because many users know only the port of the service. */
const dashboard = '/pdb/dashboard/index.html';

const links = [
  ['/docs/api', 'HTTP interface', 'every path, with a form to try it'],
  ['/status/v1/services', 'Status', 'state, waiting commands and alerts, as JSON'],
  ['/pdb/query/v4/nodes?limit=20&pretty=true', 'Nodes', 'the first 20, as JSON'],
  ['/nodeledger/v1/dead-letters', 'Dead letters', 'rejected commands, as JSON'],
  ['/metrics', 'Metrics', 'for Prometheus'],
] as const;

const style = `:root { color-scheme: light dark; --text: #1c2024; --soft: #60646c; --page: #fcfcfd; --card: #fff; --line: #d9d9e0; --link: #0b68cb }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --soft: #b0b4ba; --page: #111113; --card: #18191b; --line: #363a3f; --link: #70b8ff }
}
body { margin: 0; padding: 3rem 1.25rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto }
h1 { margin: 0; font-size: 1.75rem }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.1rem }
p, dd { color: var(--soft) }
a { color: var(--link) }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .5rem 1rem; margin: 0 }
dd { margin: 0 }
pre { padding: .75rem 1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 6px }
.state { margin-left: .5rem; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .9rem; font-weight: 400 }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .75rem } }`;

/** The policy allows only the page's own style sheet, which it names by a hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const query = 'nodes[certname] { latest_report_status = "failed" }';
const shownQuery = query.replaceAll('"', '&quot;');

@Controller()
export class RootController {
  constructor(private readonly service: ServiceState) {}

  @Get()
  @Described(described.root)
  @Redirect(dashboard, 302)
  root(): void {}

  @Get('pdb')
  @Described(described.pdb)
  @Redirect(dashboard, 302)
  pdb(): void {}

  /** Dashboards request this path as a health check. */
  @Get(dashboard.slice(1))
  @Described(described.page)
  @Header('content-type', 'text/html;charset=utf-8')
  @Header('content-security-policy', policy)
  async index(): Promise<string> {
    const { state, components } = await this.service.look();
    const served = new ServedPaths(new Set(Object.keys(components)));
    const items = links
      .filter(([path]) => served.has(path.split('?', 1)[0] ?? path))
      .map(([path, name, about]) => `<dt><a href="${path}">${name}</a></dt><dd>${about}</dd>`)
      .join('\n');
    const { version, reportedVersion } = this.service;
    const reported = version === reportedVersion ? '' : ` Clients are told version ${reportedVersion}.`;
    const example = served.has('/pdb/query')
      ? `<h2>An example query</h2>
<pre>nodeledger query '${shownQuery}'</pre>
<p><a href="/pdb/query/v4?pretty=true&amp;query=${encodeURIComponent(query)}">Show its answer</a></p>
`
      : '';
    const sentences = served.sentences().map((sentence) => `<p>${sentence}</p>`);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>nodeledger</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>nodeledger ${version}<span class="state">${state}</span></h1>
<p>A store of what configuration servers know about machines.${reported}</p>
<dl>
${items}
</dl>
${example}<h2>This process</h2>
${sentences.join('\n')}
</main>
</body>
</html>
`;
  }
}
