function Get-IoModuleFile {
    <# The files another machine needs to run tests: what a package has, wherever this one was loaded from. Name in the package, then path. #>
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $base = $ExecutionContext.SessionState.Module.ModuleBase
    $files = @{}
    foreach ($pattern in 'IoBench.*', 'Public/*.ps1', 'Private/*.ps*1') {
        $folder = [System.IO.Path]::GetDirectoryName($pattern)
        $place = [System.IO.Path]::Combine($base, $folder)
        # A package has no Public: its functions are in files at the top.
        if (-not [System.IO.Directory]::Exists($place)) { continue }
        foreach ($file in [System.IO.Directory]::GetFiles($place, [System.IO.Path]::GetFileName($pattern))) {
            if ($file -match '\.(ps1|psm1|psd1|ps1xml)$') { $files["$folder$($folder ? '/' : '')$([System.IO.Path]::GetFileName($file))"] = $file }
        }
    }
    # A checkout has its assemblies where they were built.
    $lib = [System.IO.Path]::GetDirectoryName([IoBench.Engine.IoSize].Assembly.Location)
    foreach ($file in [System.IO.Directory]::GetFiles($lib, 'IoBench.*.dll')) {
        $files["lib/$([System.IO.Path]::GetFileName($file))"] = $file
    }
    $files
}
