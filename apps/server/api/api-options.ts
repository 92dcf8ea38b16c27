import type { ApiContext } from '#openapi';

/** Settings that affect the OpenAPI document. */
export type ApiOptions = Omit<ApiContext, 'examples'>;

export const API_OPTIONS = Symbol('ApiOptions');
