namespace IoBench.Engine;

/// <summary>A command of the CLI and the corresponding cmdlet.</summary>
public enum IoCommand
{
    Run,
    Import,
    Report,
    Convert,
    Compare,
    Test,
    Saturation,
    Limit,
    Cap,
    History,
    Workloads,
    Remove,
    Verify,
    Witness,

    /// <summary>Run a captured workload, from two snapshots of sys.dm_io_virtual_file_stats.</summary>
    OwnLoad,
}

public abstract class OptionSpelling
{
    /// <summary>Neutral spelling with plain option names, for logs and files that both front ends read.</summary>
    public static OptionSpelling Neutral { get; } = new NeutralSpelling();

    public abstract string Write(OptionName option);

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
