import { describe, expect, test } from 'vitest';
import { drainWorld } from './drain/testing.ts';
import { NO_WEIGHTS } from './inference/testing.ts';
import { injectForPrompt } from './recall/inject/prompt.ts';
import { vector } from './recall/arm/vector.ts';
import { ingestCaptured } from './testing/captured.ts';
import { needs } from './testing/needs.ts';
import { SessionEvents } from './testing/session-events.ts';
import { BILLING, sessionStart } from './testing/session-start.ts';
import { listLearnings } from './store/learnings/list.ts';
import { getLearning, noteOf } from './store/learnings/learnings.ts';

/** One correction with the agent's answer, a later prompt it bears on, and prompts about something else. */
const LANGUAGES = [
  {
    language: 'Russian',
    task: 'Добавь миграцию для таблицы заказов',
    done: 'Готово, миграция добавлена.',
    correction: 'Нет, миграции базы данных всегда запускай внутри транзакции',
    told: 'миграции базы данных всегда запускай внутри транзакции',
    agreed: 'Вы правы, исправляю.',
    prompt: 'миграции базы данных запускаю отдельно, нужна ли транзакция?',
    foreign: [
      'какая сегодня погода в Лиссабоне и брать ли зонт?',
      'переименуй страницу настроек и сдвинь кнопку влево',
    ],
    chatter: 'Спасибо, продолжай',
  },
  {
    language: 'German',
    task: 'Füge eine Migration für die Bestellungen hinzu',
    done: 'Fertig, die Migration ist da.',
    correction: 'Nein, Datenbankmigrationen müssen immer in einer Transaktion laufen',
    told: 'Datenbankmigrationen müssen immer in einer Transaktion laufen',
    agreed: 'Du hast recht, ich ändere das.',
    prompt: 'wie sollen die Datenbankmigrationen laufen, brauche ich eine Transaktion?',
    foreign: [
      'wie ist heute das Wetter in Lissabon, brauche ich einen Schirm?',
      'benenne die Einstellungsseite um und schiebe den Knopf nach links',
    ],
    chatter: 'Danke, mach bitte weiter',
  },
  {
    language: 'Japanese',
    task: '注文テーブルのマイグレーションを追加して',
    done: 'マイグレーションを追加しました。',
    correction: '違う、データベースのマイグレーションは必ずトランザクション内で実行して',
    told: 'データベースのマイグレーションは必ずトランザクション内で実行して',
    agreed: 'ご指摘の通りです。修正します。',
    prompt: 'データベースのマイグレーションを実行するときトランザクションは必要ですか',
    foreign: [
      '今日のリスボンの天気はどうですか、傘は必要ですか',
      '設定ページの名前を変更してボタンを左に移動してください',
    ],
    chatter: 'ありがとう、続けて',
  },
];

describe.each(LANGUAGES)(
  '$language',
  ({ task, done, correction, told, agreed, prompt, foreign, chatter }) => {
    const session = (said: string, answered: string) =>
      new SessionEvents()
        .human(task)
        .edits('orders.ts')
        .agent(done)
        .human(said)
        .agent(answered)
        .noticedToTheEnd();

    /** The correction as capture and drain keep it. */
    async function kept() {
      const { store, drain } = drainWorld();
      ingestCaptured(store, session(correction, agreed));
      await drain.run();
      const { items } = listLearnings(store.db, { offset: 0, limit: 10 });
      expect(items).toHaveLength(1);
      return noteOf(getLearning(store.db, items[0]?.id ?? ''));
    }

    test('a correction is captured and written down in its own words; thanks are not', async () => {
      const [moment, ...others] = session(correction, agreed).moments;
      expect(moment).toMatchObject({
        quote: correction,
        cues: expect.arrayContaining(['agent-understood']) as string[],
      });
      expect(others).toEqual([]);
      expect(session(chatter, done).moments).toEqual([]);
      expect((await kept()).rule).toContain(told);
    });

    const asked = async () => {
      const start = await sessionStart([{ ...(await kept()), project: BILLING, branch: null }]);
      const inject = (words: string) =>
        injectForPrompt(start.parts, { cwd: start.cwd, prompt: words, injected: new Set() });
      return { ...start, inject, title: start.learnings[0]?.title };
    };

    test('is found by its words alone, and the gate lets through what bears on it and nothing else', async () => {
      const { titles, title } = await asked();
      const knobs = { [vector.switch.name]: false };
      expect(await titles({ query: prompt, project: BILLING, knobs })).toEqual([title]);
      for (const query of foreign)
        expect(await titles({ query, project: BILLING, knobs }), query).toEqual([]);
    });

    describe('with the real embedders', () => {
      needs(NO_WEIGHTS);

      test('is injected with a prompt it bears on; the gate closes on others as it does in English', async () => {
        const { inject, learnings, titles } = await asked();
        expect((await inject(prompt)).ids).toEqual([learnings[0]?.id]);
        expect(await titles({ query: prompt, project: BILLING })).toEqual([learnings[0]?.title]);
        for (const query of foreign) {
          expect((await inject(query)).ids, query).toEqual([]);
          expect(await titles({ query, project: BILLING }), query).toEqual([]);
        }
      });
    });
  },
);
