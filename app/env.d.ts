/// <reference types="@remix-run/node" />
import type { Sesion } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
  /** What server.ts and the guard put beside every request. `usuario` and `sesion` are there on every route of a role's area. */
  interface AppLoadContext {
    nonce: string;
    requestId: string;
    /** Address of the caller after the trusted proxy hops. */
    ip: string;
    /** The router of a page that runs React asks for data alone. */
    byRouter?: boolean;
    /** True for a form of a page of another version. */
    otraConstruccion?: boolean;
    /** The import map of the scripts; none in dev. */
    mapa?: string;
    /** Addresses of the scripts that the staff's pages run. */
    personal?: string[];
    usuario?: Usuario;
    sesion?: Sesion & { token: string };
    /** Adds a Set-Cookie beside whatever the route answers. */
    setCookie(cookie: string): void;
    /** Tells the log the address of the call that answers, with the names of its values in place of them. */
    nameCall?(path: string): void;
    /** Says in the header Retry-After when to come back, beside whatever the route answers. */
    comeBackIn?(seconds: string): void;
  }
}
