using IoBench.Cli;

using var console = CliConsole.System();
return App.Run(args, console);
