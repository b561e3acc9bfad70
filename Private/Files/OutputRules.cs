namespace IoBench.PowerShell.Files;

/// <summary>
/// What a cmdlet that writes a file may do to one that is there, as Export-Csv does it: replace it, unless -NoClobber; a write-protected one with -Force only.
/// Looked up before anything runs: a test of an hour must not end in "the file exists".
/// </summary>
/// <param name="NoClobber">A file that is there is left alone.</param>
/// <param name="Force">A write-protected file is replaced too.</param>
internal readonly record struct OutputRules(bool NoClobber, bool Force)
{
    /// <summary>Refuses what may not be replaced.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileExists</c>, <c>IoBench.WriteProtected</c>.</exception>
    public void Check(string path)
    {
        var file = new FileInfo(path);
        if (!file.Exists)
            return;
        if (NoClobber)
            throw IoBenchException.Refused(
                ErrorIds.FileExists,
                $"{path} exists.",
                path,
                advice: "Leave -NoClobber out to replace it, or choose another name."
            );
        if (file.IsReadOnly && !Force)
            throw IoBenchException.Refused(
                "IoBench.WriteProtected",
                $"{path} is write-protected.",
                path,
                advice: "Add -Force to replace it anyway, or choose another name."
            );
    }

    /// <summary>Takes the protection off a file that -Force replaces.</summary>
    public void Unprotect(string path)
    {
        if (Force && new FileInfo(path) is { Exists: true, IsReadOnly: true } file)
            file.IsReadOnly = false;
    }
}
