function Initialize-IoFunction {
    <#
        Reads what a package keeps in a file of its own because an import needs none of it: the helper functions, when a command is called first.
        The build puts the call into each command; what enters the module by another door calls it itself. A checkout has read everything at its import.
    #>
    [CmdletBinding()]
    param()

    if ($script:unreadFunctions) {
        if (-not [System.IO.File]::Exists($script:unreadFunctions)) {
            $message = "$script:unreadFunctions is gone: the module was removed or updated after it was imported. Start a new pwsh, or run: Import-Module IoBench -Force"
            throw [System.Management.Automation.ErrorRecord]::new([System.IO.FileNotFoundException]::new($message), 'IoBench.ModuleGone', 'ResourceUnavailable', $script:unreadFunctions)
        }
        $problem = [IoBench.Loader.LoadedVersion]::Problem("$([System.IO.Path]::GetDirectoryName($script:unreadFunctions))/lib")
        if ($problem) {
            throw [System.Management.Automation.ErrorRecord]::new([System.InvalidOperationException]::new($problem), 'IoBench.OtherVersionLoaded', 'ResourceUnavailable', $script:unreadFunctions)
        }
        . $script:unreadFunctions
        $script:unreadFunctions = $null
    }
}
