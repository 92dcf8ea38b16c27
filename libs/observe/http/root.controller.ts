import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { Described } from '#openapi';
import * as described from './descriptions/meta';
import { ServedPaths } from '../served-paths';
import { ServiceState } from './service-state';

/** Where a browser that knows only the port is sent. */
const dashboard = '/pdb/dashboard/index.html';

const links = [
  ['/status/v1/services', 'status'],
  ['/pdb/query/v4/nodes?limit=20', 'nodes'],
  ['/pdb/query/v4/event-counts?summarize_by=certname', 'event counts'],
  ['/nodeledger/v1/dead-letters', 'rejected commands'],
  ['/docs/api', 'HTTP interface'],
] as const;

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

  /** What runs here and where to look; health checks of dashboards ask for this path. */
  @Get(dashboard.slice(1))
  @Described(described.page)
  @Header('content-type', 'text/html;charset=utf-8')
  async index(): Promise<string> {
    const { state, components } = await this.service.look();
    const served = new ServedPaths(new Set(Object.keys(components)));
    const items = links
      .filter(([path]) => served.has(path.split('?', 1)[0] ?? path))
      .map(([path, name]) => `<li><a href="${path}">${name}</a></li>`)
      .join('\n');
    const sentences = served.sentences().map((sentence) => `<p>${sentence}</p>`);
    return `<!doctype html>
<html lang="en">
<title>nodeledger</title>
<h1>nodeledger ${this.service.reportedVersion}: ${state}</h1>
<ul>
${items}
</ul>
${sentences.join('\n')}
</html>
`;
  }
}
