import type { HttpBindings } from '@hono/node-server';

export type { Parts } from '../service/assemble';

export type Env = { Bindings: HttpBindings };
