namespace IoBench.Cli.Output;

internal interface IConsoleMode
{
    /// <returns>GetConsoleMode; null if standard error is not a console.</returns>
    uint? Get();

    bool Set(uint mode);
}
