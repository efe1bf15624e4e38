import type { Command } from 'commander';
import { isMethod } from '#contract/methods.ts';
import { methodSchemas, openRpc } from '#contract/openrpc.ts';
import { VERSION } from '../../platform/version.ts';
import { print } from '../output.ts';
import { unknownMethod } from '../unknown-method.ts';

/** Needs no daemon: the description is made from the contract of this version. */
export function schemaCommands(program: Command): void {
  program
    .command('schema')
    .description('Print the protocol as an OpenRPC document, or the JSON Schemas of one method')
    .argument('[method]', 'for example recall.search')
    .action((method: string | undefined) => {
      if (method !== undefined && !isMethod(method)) throw unknownMethod(method);
      print(JSON.stringify(method === undefined ? openRpc(VERSION) : methodSchemas(method), null, 2));
    });
}
