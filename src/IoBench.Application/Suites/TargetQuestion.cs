using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Kind of question about a target.</summary>
public enum TargetQuestionKind
{
    /// <summary>Read a SQL Server file, which delays the I/O of the server.</summary>
    ReadSqlServerFile,

    /// <summary>Overwrite a file that IoBench did not create. Its content is lost.</summary>
    Overwrite,

    /// <summary>Test a volume with SQL Server files, which are slow during the test.</summary>
    LoadSqlServerVolume,

    /// <summary>Precondition a rotating disk, which has no effect on its performance.</summary>
    PreconditionDisk,
}

/// <summary>Question about a target. The default answer is no.</summary>
/// <param name="Kind">Kind of question.</param>
/// <param name="Path">The target.</param>
/// <param name="Text">What will happen, and the question.</param>
public sealed record TargetQuestion(TargetQuestionKind Kind, string Path, IoMessage Text);

/// <summary>Answer of the user.</summary>
public enum TargetAnswer
{
    /// <summary>
    /// The user cannot be asked. Overwriting or reading a file stays refused; a volume with SQL Server files can be tested.
    /// </summary>
    Nobody,
    No,

    /// <summary>No, and no to all questions of this kind.</summary>
    NoToAll,

    /// <summary>Yes, for this target.</summary>
    Yes,

    /// <summary>Yes, and yes to all questions of this kind.</summary>
    YesToAll,
}

/// <summary>Asks the user about targets.</summary>
public interface ISuiteQuestions
{
    /// <summary>Asks a question. Returns <see cref="TargetAnswer.Nobody"/> if the user cannot be asked.</summary>
    TargetAnswer Ask(TargetQuestion question);

    /// <summary>
    /// Runs a check of a target's file, which a device that does not respond can block indefinitely. Interactive front ends run it so that
    /// the user can cancel it.
    /// </summary>
    /// <param name="path">The target.</param>
    /// <param name="look">The check.</param>
    T RunCancellable<T>(string path, Func<T> look)
    {
        ArgumentNullException.ThrowIfNull(look);
        return look();
    }
}

/// <summary>Implementation without a user.</summary>
public sealed class NoQuestions : ISuiteQuestions
{
    private NoQuestions() { }

    /// <summary>The only instance.</summary>
    public static NoQuestions Instance { get; } = new();

    /// <inheritdoc/>
    public TargetAnswer Ask(TargetQuestion question) => TargetAnswer.Nobody;
}
