namespace IoBench.Application.Suites;

/// <summary>What a person may decide about a target.</summary>
public enum TargetQuestionKind
{
    /// <summary>Read a file of SQL Server: the server waits for its own I/O meanwhile.</summary>
    ReadSqlServerFile,

    /// <summary>Write to a file that IoBench did not make: what it holds is lost.</summary>
    Overwrite,

    /// <summary>Load a volume that holds files of SQL Server: they are slow meanwhile.</summary>
    LoadSqlServerVolume,

    /// <summary>Precondition a rotating disk, which changes nothing there.</summary>
    PreconditionDisk,
}

/// <summary>A question about a target. The default answer is no.</summary>
/// <param name="Kind">What it is about.</param>
/// <param name="Path">The target.</param>
/// <param name="Text">What will happen, and the question.</param>
public sealed record TargetQuestion(TargetQuestionKind Kind, string Path, IoText Text);

/// <summary>What a person said.</summary>
public enum TargetAnswer
{
    /// <summary>Nobody can be asked: what destroys or reads others' data stays refused, a volume that SQL Server uses may be loaded.</summary>
    Nobody,
    No,

    /// <summary>No, and to all questions of this kind.</summary>
    NoToAll,

    /// <summary>Yes, for this target.</summary>
    Yes,

    /// <summary>Yes, and to all questions of this kind.</summary>
    YesToAll,
}

/// <summary>Whoever can ask a person.</summary>
public interface ISuiteQuestions
{
    /// <summary>Asks; <see cref="TargetAnswer.Nobody"/> where nobody is there.</summary>
    TargetAnswer Ask(TargetQuestion question);

    /// <summary>Looks at a target's file. A disk that does not answer holds the look for ever: who can be interrupted meanwhile gives it up.</summary>
    /// <param name="path">The target.</param>
    T Look<T>(string path, Func<T> look)
    {
        ArgumentNullException.ThrowIfNull(look);
        return look();
    }
}

/// <summary>Nobody can be asked.</summary>
public sealed class NoQuestions : ISuiteQuestions
{
    private NoQuestions() { }

    /// <summary>The one of its kind.</summary>
    public static NoQuestions Instance { get; } = new();

    /// <inheritdoc/>
    public TargetAnswer Ask(TargetQuestion question) => TargetAnswer.Nobody;
}
