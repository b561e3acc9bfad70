namespace IoBench.Cli.Output;

/// <summary>Windows' calls for how the console of standard error shows what is written to it.</summary>
internal interface IConsoleMode
{
    /// <summary>GetConsoleMode; null when standard error is no console.</summary>
    uint? Get();

    /// <summary>SetConsoleMode; false when the console does not know the mode.</summary>
    bool Set(uint mode);
}
