import type { HttpBindings } from '@hono/node-server';

export type { Parts } from '../assemble';

export type Env = { Bindings: HttpBindings };
