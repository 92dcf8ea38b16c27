import type { ApiContext, Description, Example, Method, Operation, Parameter } from './operation';
import { tags } from './operation';
import { refusal, refusalResponses, refusalSchemas } from './refusals';
import type { Schema } from './schema';
import { securitySchemes } from './security';

export interface DescribedRoute {
  /** Path in OpenAPI's form, such as `/nodeledger/v1/dead-letters/{name}`. */
  readonly path: string;
  /** `all` means that the route accepts every method. */
  readonly method: Method | 'all';
  readonly description: Description;
  readonly role: string | undefined;
}

type Json = Record<string, unknown>;

/** Throws if two operations have the same path and method, or the same id. */
export function makeDocument(routes: readonly DescribedRoute[], context: ApiContext): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Schema> = { ...refusalSchemas };
  const ids = new Set<string>();
  const used = new Set<string>();
  for (const route of routes) {
    Object.assign(schemas, route.description.schemas);
    for (const operation of route.description.operations) {
      const path = operation.path ?? route.path;
      const method = operation.method ?? route.method;
      if (method === 'all') throw new Error(`${path} answers to all methods; ${operation.id} must name one`);
      const item = (paths[path] ??= {});
      if (item[method] !== undefined) throw new Error(`two operations describe ${method} ${path}`);
      if (ids.has(operation.id)) throw new Error(`two operations have the id ${operation.id}`);
      ids.add(operation.id);
      used.add(operation.tag);
      item[method] = written(operation, path, route.role);
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'nodeledger',
      version: context.version,
      summary: 'Stores facts, catalogs and reports of Puppet and OpenVox nodes, and answers queries about them.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This process' }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, responses: refusalResponses(), securitySchemes },
  };
}

const introduction = `This document describes the paths of this process, with its settings and limits. Other processes of the same
installation can have other paths.

If the process checks roles, \`x-required-role\` is the role that an operation requires.

The service compresses an answer if the header Accept-Encoding allows gzip. All paths that support GET also support HEAD.`;

function written(operation: Operation, path: string, role: string | undefined): Json {
  const { parameters = [], examples = {}, body, answers, refusals = [] } = operation;
  checkPath(operation, path, parameters);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    ...(role !== undefined && { 'x-required-role': role }),
    ...(parameters.length > 0 && { parameters: parameters.map((one) => parameter(one, examples)) }),
    ...(body !== undefined && {
      requestBody: {
        description: body.description,
        required: body.required ?? true,
        content: content(body.content, bodyExamples(examples)),
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
      ...Object.fromEntries(
        [...refusals, ...(role === undefined ? [] : ([401] as const)), 403 as const, 500 as const]
          .filter((status) => !(status in answers))
          .map((status) => [status, refusal(status)]),
      ),
    },
    // The empty entry allows requests without a credential, because not every service checks roles.
    security: role === undefined ? [] : [{}, { clientCertificate: [] }, { bearerToken: [] }, { tokenHeader: [] }],
  };
}

function checkPath({ id }: Operation, path: string, parameters: readonly Parameter[]): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  if (inPath.sort().join() !== described.sort().join())
    throw new Error(`${id} describes the parameters ${described.join()} of ${path}`);
}

function parameter({ required, ...one }: Parameter, examples: Readonly<Record<string, Example>>): Json {
  const own = Object.entries(examples).flatMap(([name, { summary, parameters = {} }]) =>
    one.name in parameters ? [[name, { summary, value: parameters[one.name] }]] : [],
  );
  return {
    ...one,
    ...((required === true || one.in === 'path') && { required: true }),
    ...(own.length > 0 && { examples: Object.fromEntries(own) as Json }),
  };
}

const bodyExamples = (examples: Readonly<Record<string, Example>>): Json =>
  Object.fromEntries(
    Object.entries(examples).flatMap(([name, { summary, body }]) =>
      body === undefined ? [] : [[name, { summary, value: body }]],
    ),
  );

function content(types: Readonly<Record<string, Schema>>, examples: Json = {}): Json {
  return Object.fromEntries(
    Object.entries(types).map(([type, schema], index) => [
      type,
      { schema, ...(index === 0 && Object.keys(examples).length > 0 && { examples }) },
    ]),
  );
}

function response({ description, headers, content: types }: Operation['answers'][string]): Json {
  return {
    description,
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, meaning]) => [name, { description: meaning, schema: { type: 'string' } }]),
      ),
    }),
    ...(types !== undefined && { content: content(types) }),
  };
}
