; The uninstaller disconnects the agents and stops the daemon; an update leaves both alone.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    System::Call 'kernel32::SetEnvironmentVariable(t "ELECTRON_RUN_AS_NODE", t "1")'
    nsExec::Exec '"$INSTDIR\Reflect.exe" "$INSTDIR\resources\app.asar\daemon\bin\reflect.cjs" uninstall --all'
    nsExec::Exec '"$INSTDIR\Reflect.exe" "$INSTDIR\resources\app.asar\daemon\bin\reflect.cjs" stop'
  ${endIf}
!macroend
