function Register-IoCompleter {
    <# Argument completion that needs the module's own functions; an attribute's script block would not find them. #>
    [CmdletBinding()]
    param()

    Register-ArgumentCompleter -CommandName 'Invoke-IoTest' -ParameterName 'Workload' -ScriptBlock { Initialize-IoFunction; Complete-IoWorkload @args }
    Register-ArgumentCompleter -CommandName 'Get-IoWorkload' -ParameterName 'Name' -ScriptBlock { Initialize-IoFunction; Complete-IoWorkload @args }
}
