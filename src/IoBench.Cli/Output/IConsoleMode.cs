namespace IoBench.Cli;

internal interface IConsoleMode
{
    /// <returns>GetConsoleMode; null if standard error is not a console.</returns>
    uint? GetMode();

    bool SetMode(uint mode);
}
