import { z } from 'zod';
import { isCp, type LugarPostal } from '~/core/codigoPostal';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import { exchange } from '../http.server';

export type CodigosPostales = ReturnType<typeof createCodigosPostales>;

const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? '');
/** A place of the answer. `type=simplified` asks for one answer with every settlement; some plans answer one object per settlement all the same. */
const Lugar = z.object({
  cp: z.coerce.string(),
  asentamiento: z.union([z.string(), z.array(z.string())]),
  municipio: text,
  estado: z.string().min(1),
  ciudad: text,
});
const Answer = z.object({ error: z.boolean(), response: z.unknown() });

/**
 * A client of a look-up service of the COPOMEX kind. Its key stands in the address of the call, so neither address nor answer is logged.
 * Throws Unavailable without a clear answer, Refused (account) for a bad key, and UnexpectedShape for an answer that is something else.
 */
export function createCodigosPostales({
  baseUrl,
  token,
  timeoutMs = 1_800,
}: {
  baseUrl: string;
  token: string;
  timeoutMs?: number;
}) {
  return {
    /** The place of a postal code; undefined when the service does not know the code. */
    async find(cp: string): Promise<LugarPostal | undefined> {
      if (!isCp(cp)) return undefined;
      const { status, body } = await ask(
        `${baseUrl}/query/info_cp/${cp}?${new URLSearchParams({ type: 'simplified', token })}`,
        baseUrl,
        timeoutMs,
      );
      if (status === 429 || status >= 500)
        throw new Unavailable(`el buscador de códigos postales contestó ${status}`, { status });
      if (status === 401 || status === 403)
        throw new Refused('El buscador de códigos postales no acepta la clave (COPOMEX_TOKEN).', {
          status,
          account: true,
        });
      const answers = z
        .array(Answer)
        .or(Answer.transform((answer) => [answer]))
        .safeParse(jsonOf(body));
      if (!answers.success)
        throw new UnexpectedShape('el buscador de códigos postales contestó algo que no se entiende', { status });
      if (status === 404 || answers.data.every(({ error }) => error)) return undefined;
      const lugares = z
        .array(Lugar)
        .safeParse(answers.data.filter(({ error }) => !error).map(({ response }) => response));
      const [first] = lugares.data ?? [];
      if (!first || first.cp !== cp)
        throw new UnexpectedShape('el buscador de códigos postales contestó algo que no se entiende', { status });
      const colonias = [...new Set(lugares.data!.flatMap(({ asentamiento }) => asentamiento))].filter(Boolean);
      return { cp, estado: first.estado, municipio: first.municipio, ciudad: first.ciudad, colonias };
    },
  };
}

async function ask(url: string, root: string, timeoutMs: number) {
  try {
    return await exchange({
      side: { name: 'codigosPostales', root },
      method: 'GET',
      url,
      timeoutMs,
      maxBytes: 512 * 1024,
    });
  } catch (error) {
    if (error instanceof Uncertain) throw new Unavailable(`el buscador de códigos postales ${error.message}`);
    throw error;
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
