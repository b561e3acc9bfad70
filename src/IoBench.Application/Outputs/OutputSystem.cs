namespace IoBench.Application.Outputs;

/// <summary>A file that is held under its name: nobody else who asks for it gets it until this is disposed.</summary>
internal abstract class HeldFile : IDisposable
{
    /// <summary>What distinguishes the file from every other, also from one that took its name.</summary>
    public abstract string Identity { get; }

    /// <summary>Nobody else has written into it since it is held.</summary>
    public abstract bool IsUntouched { get; }

    /// <summary>The file's bytes; null when its name leads to another by now and the system cannot keep a file open that is to be replaced.</summary>
    public abstract Stream? OpenRead();

    public abstract void Dispose();
}

/// <summary>A file that is being written and has not got its name yet.</summary>
internal abstract class NewFile : IDisposable
{
    /// <summary>Where to write; it can seek.</summary>
    public abstract Stream Stream { get; }

    /// <summary>Brings what was written to the device.</summary>
    public abstract void Flush();

    /// <summary>Removes it unless it was put in place.</summary>
    public abstract void Dispose();
}

/// <summary>How an output is held, written and put in place: the few operations that each operating system does its own way.</summary>
internal abstract class OutputSystem
{
    /// <summary>This operating system's.</summary>
    public static OutputSystem Current { get; } = OperatingSystem.IsWindows() ? new WindowsOutputs() : new LinuxOutputs();

    /// <summary>Holds the file of a name; where none is there, an empty one is made.</summary>
    /// <param name="path">Full path, no link.</param>
    /// <param name="isNew">The file was made now.</param>
    /// <returns>Null when another run holds it.</returns>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="IoBenchException">The system refuses, as <see cref="FileErrors"/> says it.</exception>
    public abstract HeldFile? TryHold(string path, out bool isNew);

    /// <summary>Begins a file that is to replace one, or to be one, in the same folder.</summary>
    public abstract NewFile Begin(string path);

    /// <summary>
    /// Puts a finished file in place of the one that is held, or where there is none; a file that is neither, or that others wrote into, stays as it is.
    /// </summary>
    /// <param name="file">The finished file.</param>
    /// <param name="path">The name.</param>
    /// <param name="held">What may be replaced; disposed when it was. Null = nothing.</param>
    /// <returns>The file under its name, held; null when another file has the name.</returns>
    public abstract HeldFile? TryPlace(NewFile file, string path, HeldFile? held);

    /// <summary>Removes a file that is held, if its name still leads to it and nobody else wrote into it.</summary>
    public abstract void Remove(HeldFile held, string path);

    /// <summary>Removes what a killed run left of this output: files with the name that only a run gives, which nobody uses.</summary>
    public abstract void ClearLeftovers(string path);
}
