namespace IoBench.Application;

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

public enum TargetAnswer
{
    /// <summary>The user cannot be asked. Overwriting and reading files stay refused; a volume with SQL Server files can be
    /// tested.</summary>
    CannotAsk,
    No,

    /// <summary>No, and no to all questions of this kind.</summary>
    NoToAll,

    Yes,

    /// <summary>Yes, and yes to all questions of this kind.</summary>
    YesToAll,
}
