import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

/**
 * Asks `url` every `ms` whether the page would look different by now (`{ marca }`), and runs the loaders again when
 * it would. It asks only while somebody is looking, and at once when they come back to the tab. While the server
 * cannot be reached the page stays as it is.
 */
export function useFresh(url: string, marca: string, ms: number) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const end = new AbortController();
    const look = async () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible' && ((await readMark(url, end.signal)) ?? marca) !== marca)
        return void revalidate();
      if (!end.signal.aborted) timer = setTimeout(() => void look(), ms);
    };
    const back = () => void look();
    timer = setTimeout(back, ms);
    document.addEventListener('visibilitychange', back);
    return () => {
      end.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', back);
    };
  }, [url, marca, ms, revalidate]);
}

async function readMark(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = (await (await fetch(url, { signal })).json()) as { marca?: string };
    return answer.marca;
  } catch {
    return undefined;
  }
}
