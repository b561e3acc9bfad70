namespace IoBench.Engine.Text;

/// <summary>Something a user can do: a command of the program, a cmdlet of the module.</summary>
public enum IoCommand
{
    /// <summary>Run tests.</summary>
    Run,

    /// <summary>Read results.</summary>
    Import,

    /// <summary>Make a report.</summary>
    Report,

    /// <summary>Read old command lines as tests.</summary>
    Convert,

    /// <summary>Compare results.</summary>
    Compare,

    /// <summary>Judge results by rules.</summary>
    Test,

    /// <summary>Find where a sweep stops gaining.</summary>
    Saturation,

    /// <summary>Find the highest rate that keeps a limit on latency.</summary>
    Limit,

    /// <summary>Find what limits the storage.</summary>
    Cap,

    /// <summary>Keep results and show how they change.</summary>
    History,

    /// <summary>List workloads.</summary>
    Workloads,

    /// <summary>Remove test files.</summary>
    Remove,

    /// <summary>Check whether storage keeps what it acknowledged.</summary>
    Verify,

    /// <summary>Note acknowledged writes of another host.</summary>
    Witness,

    /// <summary>Run a server's own load, from two snapshots of sys.dm_io_virtual_file_stats.</summary>
    OwnLoad,
}

/// <summary>How a front writes options and commands in the texts of IoBench.</summary>
public abstract class TextSpelling
{
    /// <summary>Neither front's: names of options as they are, for logs, files and whatever both read.</summary>
    public static TextSpelling Neutral { get; } = new NeutralSpelling();

    /// <summary>An option, with its value where there is one.</summary>
    public abstract string Write(OptionName option);

    /// <summary>A command.</summary>
    public abstract string Write(IoCommand command);

    /// <summary>What a marker of a template stands for; one that is neither option nor command is text in braces.</summary>
    internal string Write(string marker)
    {
        if (marker.StartsWith('!') && Enum.TryParse<IoCommand>(marker[1..], out var command))
            return Write(command);
        return OptionName.TryParse(marker, out var option) ? Write(option) : "{" + marker + "}";
    }

    private sealed class NeutralSpelling : TextSpelling
    {
        public override string Write(OptionName option) => option.ToString();

        public override string Write(IoCommand command) => $"IoBench {command}";
    }
}
