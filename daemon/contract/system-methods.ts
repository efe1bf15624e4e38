import * as z from 'zod';
import { count, done, none, path } from './fields.ts';
import { method } from './method.ts';
import { asSent } from './schema.ts';
import { KnobState, ModelState, PortState, SetKnob } from './settings.ts';
import { DaemonStatus } from './status.ts';
import { FoundWriter, WriterId, WritersStatus } from './writers.ts';

/** The daemon itself: status, settings, models, upkeep. Part of the one table of methods. */
export const SYSTEM_METHODS = {
  status: method('Show the status of the daemon', none, DaemonStatus),
  'writers.status': method(
    'Show which writer writes the notes, its cost per day, and why a model is not used right now',
    none,
    WritersStatus,
  ),
  'writers.list': method(
    'List the writers on this machine: installed agents, Ollama, and which one is chosen. Uses no model',
    none,
    z.array(FoundWriter),
  ),
  'writers.use': method(
    'Choose who writes the notes; agents and models work in the background, within a daily budget',
    z.strictObject({
      id: WriterId,
      model: z.string().max(200).optional().describe('One of its models; by default it chooses'),
    }),
    z.array(FoundWriter),
    { emits: ['settings.changed'] },
  ),
  'store.sizes': method(
    'Show how much disk each part of the database uses, largest first',
    none,
    z.array(
      z.strictObject({
        part: z.enum(['notes', 'words', 'vectors', 'graph', 'history', 'capture', 'other']),
        bytes: z.number().int(),
      }),
    ),
  ),
  'store.reindex': method(
    'Rebuild the search index from the notes: words, graph and vectors',
    none,
    z.strictObject({
      learnings: count,
      ingested: count.describe('Notes that were changed on disk and read again'),
      waiting: count.describe(
        'Vectors still to be computed in the background; the old ones are used until then',
      ),
    }),
    { long: true },
  ),
  'daemon.stop': method('Stop the daemon', none, done),
  'ui.revoke': method(
    'End the sessions of all browsers; a new one needs a new link',
    none,
    z.strictObject({ ended: z.number().int() }),
  ),
  'confirmations.answer': method(
    'Answer a confirmation.asked event: first that a person is being asked, then their decision',
    z.strictObject({ id: z.string().max(100), answer: z.enum(['asking', 'allow', 'refuse']) }),
    done,
  ),
  'ui.code': method(
    'Create a one-time link that opens the UI in a browser',
    none,
    z.strictObject({ url: z.string() }),
  ),

  'documents.repair': method(
    'Read unreadable note files again',
    z.strictObject({
      backfillRelations: z.boolean().optional().describe('Turn relations of an unknown type into relates_to'),
    }),
    z.strictObject({
      repaired: z.array(z.string()),
      left: z.array(z.strictObject({ path: z.string(), problem: z.string() })),
    }),
  ),
  'privacy.scan': method(
    'Scan everything stored for secrets that were not redacted',
    none,
    z.strictObject({
      texts: z.number().int(),
      found: z.number().int(),
      /** Places and kinds, never the secret itself; at most 500. */
      findings: z.array(
        z.strictObject({ where: z.string(), id: z.string(), kinds: z.record(z.string(), z.number().int()) }),
      ),
    }),
  ),

  'config.list': method(
    'List settings with their value, source and description',
    z.strictObject({
      cwd: path.optional(),
      search: z.string().max(200).optional().describe('Only settings with this in their name or description'),
    }),
    z.array(KnobState),
  ),
  'config.unknown': method(
    'List variables that look like settings but are none, each with the nearest known name, and problems in a project’s settings file',
    z.strictObject({ variables: z.array(z.string().max(200)).max(1_000), cwd: path.optional() }),
    z.array(z.string()),
  ),
  'config.set': method(
    'Change a setting in your own configuration, or in that of a project; null resets it',
    z.strictObject({
      name: asSent(z.string()),
      value: asSent(z.unknown()),
      cwd: path.optional(),
      project: z
        .boolean()
        .default(false)
        .describe('For the project of the folder only, in its .reflect/config.toml'),
    }),
    SetKnob,
    { emits: ['settings.changed'] },
  ),
  'ports.list': method('List all ports with their settings, module and proof', none, z.array(PortState)),
  'models.list': method('List models and whether they are downloaded', none, z.array(ModelState)),
  'models.get': method(
    'Download missing models in the background',
    z.strictObject({ id: z.string().optional() }),
    z.array(ModelState),
  ),
};
