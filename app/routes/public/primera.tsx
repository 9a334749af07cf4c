import { redirect, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { broughtBy, enter } from '~/access/entrada.server';
import { PrimeraPersona } from '~/domain/personal/forms';
import { createPrimera, isPrimeraOffered } from '~/domain/personal/primeraPersona.server';
import { definePublicActions, outcome } from '~/http/actions.server';
import { Boton } from '~/ui/Boton';
import { Field, PasswordField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { db } from '~db/shared.server';
import { PasswordNuevo } from '~/routes/personal/usuarios/PasswordNuevo';

export const meta: MetaFunction = () => [{ title: 'El primer usuario' }];

/** Answers Retry-After where the person has to wait. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The page exists only while a server's code waits and nobody can sign in. */
export async function loader() {
  if (!(await isPrimeraOffered(db()))) throw redirect('/login');
  return null;
}

export const action = definePublicActions(({ request }) => broughtBy(request), {
  crear: {
    schema: PrimeraPersona,
    run: async (db, { confirmar: _, ...nuevo }, brought) => {
      const { id, version } = await createPrimera(db, nuevo);
      const entra = { id, version, rol: 'sa', recordar: false, segundoFactorEn: null } as const;
      return outcome(await enter(db, entra, brought, { volver: null }));
    },
    aviso: 'Ya puedes entrar. Sigue los primeros pasos.',
  },
});

type Fields = { codigo: string; nombre: string; apellidos: string; usuario: string; email: string } & {
  password: string;
  confirmar: string;
};

export default function Primera() {
  const form = useActionForm<Fields>('crear');
  const { fields } = form;
  return (
    <div className="columna">
      <div className="hoja">
        <h1>El primer usuario</h1>
        <p className="nota">
          Nadie puede entrar todavía. Quien crees aquí es Super Usuario: después agrega a los demás en «Usuarios».
        </p>
        <ActionForm of={form} className="apilado">
          <Field
            field={fields.codigo}
            label="Código del servidor"
            description="El que escribió npm start, o npm run web, al arrancar. Dura 30 minutos."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <div className="campos">
            <Field field={fields.nombre} label="Nombre" autoComplete="given-name" />
            <Field field={fields.apellidos} label="Apellidos" autoComplete="family-name" />
            <Field field={fields.usuario} label="Usuario" autoComplete="username" autoCapitalize="none" />
            <Field field={fields.email} label="Correo electrónico" type="email" autoComplete="email" />
          </div>
          <div className="campos">
            <PasswordNuevo field={fields.password} usuario="" />
            <PasswordField field={fields.confirmar} label="Confirmar Contraseña" autoComplete="new-password" />
          </div>
          <Boton tono="acento" type="submit" ancho>
            Crear y entrar
          </Boton>
        </ActionForm>
      </div>
    </div>
  );
}
