/** The page is Swagger UI. The build copies the files from the npm package of Swagger UI. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CachedAnswer, pageHeaders } from '#http';

const folder = join(__dirname, 'viewer');

const script = 'text/javascript;charset=utf-8';
const plain = 'text/plain;charset=utf-8';
const html = 'text/html;charset=utf-8';

// The URLs are relative, so that the page also works behind a reverse proxy that adds a path prefix.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>nodeledger: HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="api/swagger-ui.css">
</head>
<body>
<div id="interface"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="../openapi.json">/openapi.json</a>.</noscript>
<script src="api/swagger-ui-bundle.js"></script>
<script src="api/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: new URL('../openapi.json', location.href).href,
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
});
`;

/** `text` is the content of a file that is not in the npm package. */
const files: Readonly<Record<string, { readonly type: string; readonly text?: string }>> = {
  'start.js': { type: script, text: start },
  'swagger-ui-bundle.js': { type: script },
  'swagger-ui.css': { type: 'text/css;charset=utf-8' },
  LICENSE: { type: plain },
  NOTICE: { type: plain },
};

/** Does not require Trusted Types, because Swagger UI does not support Trusted Types. */
export const viewerHeaders = pageHeaders({ 'base-uri': "'none'" });

export class Viewer {
  private readonly files = new Map<string, Promise<CachedAnswer>>();

  page(): Promise<CachedAnswer> {
    return this.once('', () => CachedAnswer.of(html, Buffer.from(page)));
  }

  file(name: string): Promise<CachedAnswer> | undefined {
    if (!Object.hasOwn(files, name)) return undefined;
    const { type, text } = files[name]!;
    return this.once(name, async () =>
      CachedAnswer.of(type, text === undefined ? await readFile(join(folder, name)) : Buffer.from(text)),
    );
  }

  private once(name: string, make: () => Promise<CachedAnswer>): Promise<CachedAnswer> {
    let answer = this.files.get(name);
    if (answer === undefined) {
      answer = make();
      this.files.set(name, answer);
      // If reading fails, a later request reads the file again.
      answer.catch(() => this.files.delete(name));
    }
    return answer;
  }
}
