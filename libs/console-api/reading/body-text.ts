import { Fault } from '#fault';
import { type FastifyRequest, requestBody, requireJsonContent } from '#http';
import { type Limits, overLimit } from '#limits';
import { isMap, parseAst } from '#query';

/** Reads a body such as `{"query":"nodes {}"}`. Throws `query.body` if `name` is not the only member, or is not a text. */
export async function readBodyText(
  request: FastifyRequest,
  limits: Limits,
  { name, form }: { readonly name: string; readonly form: string },
): Promise<string> {
  requireJsonContent(request.headers['content-type']);
  const body = await requestBody(request, limits.consoleBodyBytes, (found) =>
    overLimit(limits, 'consoleBodyBytes', found),
  );
  const value = parseAst(body.toString('utf8'), limits);
  const text = isMap(value) && value.size === 1 ? value.get(name) : undefined;
  if (typeof text === 'string') return text;
  throw new Fault('malformed', 'query.body', `The body is a JSON object with ${form}.`);
}
