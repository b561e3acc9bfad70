namespace IoBench.Engine;

/// <summary>A command of the CLI and the corresponding cmdlet.</summary>
public enum IoCommand
{
    /// <summary>Run tests.</summary>
    Run,

    /// <summary>Read results.</summary>
    Import,

    /// <summary>Create a report.</summary>
    Report,

    /// <summary>Convert command lines of other tools to tests.</summary>
    Convert,

    /// <summary>Compare results.</summary>
    Compare,

    /// <summary>Rate results against rules.</summary>
    Test,

    /// <summary>Find the saturation point of a sweep.</summary>
    Saturation,

    /// <summary>Find the highest rate that meets a latency limit.</summary>
    Limit,

    /// <summary>Find what limits the storage.</summary>
    Cap,

    /// <summary>Store results and show trends.</summary>
    History,

    /// <summary>List workloads.</summary>
    Workloads,

    /// <summary>Remove test files.</summary>
    Remove,

    /// <summary>Check data integrity.</summary>
    Verify,

    /// <summary>Record acknowledged writes of another host.</summary>
    Witness,

    /// <summary>Run a captured workload, from two snapshots of sys.dm_io_virtual_file_stats.</summary>
    OwnLoad,
}

/// <summary>Spelling of options and commands in the messages of a front end.</summary>
public abstract class OptionSpelling
{
    /// <summary>Neutral spelling with plain option names, for logs and files that both front ends read.</summary>
    public static OptionSpelling Neutral { get; } = new NeutralSpelling();

    /// <summary>Writes an option, with its value if there is one.</summary>
    public abstract string Write(OptionName option);

    /// <summary>Writes a command.</summary>
    public abstract string Write(IoCommand command);

    internal string Write(string marker)
    {
        if (marker.StartsWith('!') && Enum.TryParse<IoCommand>(marker[1..], out var command))
            return Write(command);
        return OptionName.TryParse(marker, out var option) ? Write(option) : "{" + marker + "}";
    }

    private sealed class NeutralSpelling : OptionSpelling
    {
        public override string Write(OptionName option) => option.ToString();

        public override string Write(IoCommand command) => $"IoBench {command}";
    }
}
