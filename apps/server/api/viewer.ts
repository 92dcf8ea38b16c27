/** The page at `/docs/api`: Swagger UI, whose files the build copies from its package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(__dirname, 'viewer');

const script = 'text/javascript;charset=utf-8';
const plain = 'text/plain;charset=utf-8';
const html = 'text/html;charset=utf-8';

// The URLs are relative, so the page also works behind a reverse proxy that adds a path prefix.
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

/** Media type by name, and the content of files that are not in the package. */
const files: Readonly<Record<string, { readonly type: string; readonly text?: string }>> = {
  'start.js': { type: script, text: start },
  'swagger-ui-bundle.js': { type: script },
  'swagger-ui.css': { type: 'text/css;charset=utf-8' },
  LICENSE: { type: plain },
  NOTICE: { type: plain },
};

/**
 * Browsers load the parts of the page only from this service. `style-src-attr` is allowed because Swagger UI uses style
 * attributes, which cannot run programs.
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  // Browsers ask for the large files of the page once a day.
  'cache-control': 'max-age=86400',
} as const;

export interface ViewerFile {
  readonly type: string;
  readonly content: string | Buffer;
}

export const viewerPage: ViewerFile = { type: html, content: page };

/** Returns a file of the page, or undefined if the page has no such file. */
export async function viewerFile(name: string): Promise<ViewerFile | undefined> {
  if (!Object.hasOwn(files, name)) return undefined;
  const { type, text } = files[name]!;
  return { type, content: text ?? (await readFile(join(folder, name))) };
}
