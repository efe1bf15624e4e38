import * as z from 'zod';
import { none } from './fields.ts';
import { method } from './method.ts';

/** How a program learns what the daemon can do. Part of the one table of methods. */
export const PROTOCOL_METHODS = {
  'rpc.discover': method(
    'Describe every method, error and event as an OpenRPC document',
    none,
    z.record(z.string(), z.unknown()),
  ),
};
