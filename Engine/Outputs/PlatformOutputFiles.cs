namespace IoBench.Engine;

/// <summary>File whose name is locked against other runs until it is disposed.</summary>
public abstract class LockedFile : IDisposable
{
    /// <summary>Distinguishes the file from every other file, including one that later gets its name.</summary>
    public abstract string Identity { get; }

    /// <summary>True if no other process has written to the file since it was locked.</summary>
    public abstract bool IsUnmodified { get; }

    /// <summary>Opens the content. Null if the name leads to another file now, and the platform cannot read the locked file.</summary>
    public abstract Stream? OpenRead();

    public abstract void Dispose();
}

/// <summary>File that is being written and does not have its final name yet.</summary>
public abstract class TemporaryFile : IDisposable
{
    public abstract Stream Stream { get; }

    public abstract void Flush();

    /// <summary>Removes the file unless it was moved into place.</summary>
    public abstract void Dispose();
}

public abstract class PlatformOutputFiles
{
    public static PlatformOutputFiles Current { get; } = OperatingSystem.IsWindows() ? new WindowsOutputFiles() : new LinuxOutputFiles();

    /// <summary>Locks the file with this name, and creates an empty file if there is none.</summary>
    /// <returns>The file; null if another run has locked it.</returns>
    public abstract LockedFile? TryLockFile(OutputName name, out bool isNew);

    public abstract TemporaryFile CreateTemporary(OutputName name);

    /// <summary>Moves a finished file to its name. A file that is not the locked one, or that another process has written to, is not
    /// replaced.</summary>
    /// <param name="held">File that can be replaced, and is disposed then; null to replace no file.</param>
    /// <returns>The locked file under its name; null if another file has the name.</returns>
    public abstract LockedFile? TryMoveIntoPlace(TemporaryFile file, OutputName name, LockedFile? held);

    public abstract void RemoveIfUnmodified(LockedFile held, OutputName name);

    /// <summary>Removes temporary files of this output that a killed run left. Files in use stay.</summary>
    /// <param name="isNew">True if the output did not exist. Then a leftover can be its only content, and stays.</param>
    public abstract void RemoveLeftovers(OutputName name, bool isNew);
}
